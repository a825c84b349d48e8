/**
 * A client of Pet Store API. Generated from the spec by `npx specwright client`. Do not edit: change the spec.
 *
 * const client = createClient({ baseUrl, credentials });
 * const reply = await client.OPERATION(...): narrow it by `status` or `ok`, or take `(await orThrow(reply)).body`.
 */

import type { components, operations, webhooks } from './openapi.ts';

/** The named schemas, as the server sends them. */
export type Schema<Name extends keyof components['schemas']> = Read<components['schemas'][Name]>;

/** What the operations take. */
export interface Inputs {
  listPets: { readonly query?: Given<NonNullable<operations["listPets"]['parameters']["query"]>> | undefined };
  createPet: { readonly headers?: Given<Omit<NonNullable<operations["createPet"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["createPet"]['requestBody']>['content']["application/json"]> };
  getPet: { readonly path: Given<NonNullable<operations["getPet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getPet"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  replacePet: { readonly path: Given<NonNullable<operations["replacePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["replacePet"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["replacePet"]['requestBody']>['content']["application/json"]> };
  deletePet: { readonly path: Given<NonNullable<operations["deletePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["deletePet"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  updatePet: { readonly path: Given<NonNullable<operations["updatePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updatePet"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType?: "application/json" | undefined; readonly body: SentBody<"application/json", NonNullable<operations["updatePet"]['requestBody']>['content']["application/json"]> } | { readonly path: Given<NonNullable<operations["updatePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updatePet"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType: "application/merge-patch+json"; readonly body: SentBody<"application/merge-patch+json", NonNullable<operations["updatePet"]['requestBody']>['content']["application/merge-patch+json"]> };
  listCategories: { readonly query?: Given<NonNullable<operations["listCategories"]['parameters']["query"]>> | undefined };
  createCategory: { readonly headers?: Given<Omit<NonNullable<operations["createCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["createCategory"]['requestBody']>['content']["application/json"]> };
  getCategory: { readonly path: Given<NonNullable<operations["getCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  replaceCategory: { readonly path: Given<NonNullable<operations["replaceCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["replaceCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["replaceCategory"]['requestBody']>['content']["application/json"]> };
  deleteCategory: { readonly path: Given<NonNullable<operations["deleteCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["deleteCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  updateCategory: { readonly path: Given<NonNullable<operations["updateCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updateCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType?: "application/json" | undefined; readonly body: SentBody<"application/json", NonNullable<operations["updateCategory"]['requestBody']>['content']["application/json"]> } | { readonly path: Given<NonNullable<operations["updateCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updateCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType: "application/merge-patch+json"; readonly body: SentBody<"application/merge-patch+json", NonNullable<operations["updateCategory"]['requestBody']>['content']["application/merge-patch+json"]> };
  getStorePet: { readonly path: Given<NonNullable<operations["getStorePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getStorePet"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  listPhotos: { readonly path: Given<NonNullable<operations["listPhotos"]['parameters']["path"]>>; readonly query?: Given<NonNullable<operations["listPhotos"]['parameters']["query"]>> | undefined };
  createPhoto: { readonly path: Given<NonNullable<operations["createPhoto"]['parameters']["path"]>>; readonly body: SentBody<"multipart/form-data", NonNullable<operations["createPhoto"]['requestBody']>['content']["multipart/form-data"]> };
  getPhoto: { readonly path: Given<NonNullable<operations["getPhoto"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getPhoto"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  deletePhoto: { readonly path: Given<NonNullable<operations["deletePhoto"]['parameters']["path"]>> };
  listOrders: { readonly query?: Given<NonNullable<operations["listOrders"]['parameters']["query"]>> | undefined };
  createOrder: { readonly headers?: Given<Omit<NonNullable<operations["createOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["createOrder"]['requestBody']>['content']["application/json"]> };
  getOrder: { readonly path: Given<NonNullable<operations["getOrder"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  deleteOrder: { readonly path: Given<NonNullable<operations["deleteOrder"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["deleteOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  updateOrder: { readonly path: Given<NonNullable<operations["updateOrder"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updateOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType?: "application/json" | undefined; readonly body: SentBody<"application/json", NonNullable<operations["updateOrder"]['requestBody']>['content']["application/json"]> } | { readonly path: Given<NonNullable<operations["updateOrder"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updateOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType: "application/merge-patch+json"; readonly body: SentBody<"application/merge-patch+json", NonNullable<operations["updateOrder"]['requestBody']>['content']["application/merge-patch+json"]> };
  listInventory: { readonly query?: Given<NonNullable<operations["listInventory"]['parameters']["query"]>> | undefined };
  listenToInventory: { readonly headers?: Given<Omit<NonNullable<operations["listenToInventory"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  getInventory: { readonly path: Given<NonNullable<operations["getInventory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getInventory"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  setInventory: { readonly path: Given<NonNullable<operations["setInventory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["setInventory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["setInventory"]['requestBody']>['content']["application/json"]> };
  createAccount: { readonly headers?: Given<Omit<NonNullable<operations["createAccount"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["createAccount"]['requestBody']>['content']["application/json"]> };
  requestSignUp: { readonly headers?: Given<Omit<NonNullable<operations["requestSignUp"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["requestSignUp"]['requestBody']>['content']["application/json"]> };
  confirmSignUp: { readonly headers?: Given<Omit<NonNullable<operations["confirmSignUp"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["confirmSignUp"]['requestBody']>['content']["application/json"]> };
  getAccount: { readonly headers?: Given<Omit<NonNullable<operations["getAccount"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  getRateLimit: Record<string, never>;
  sendMessage: { readonly headers?: Given<Omit<NonNullable<operations["sendMessage"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["sendMessage"]['requestBody']>['content']["application/json"]> };
  replayMessages: { readonly headers?: Given<Omit<NonNullable<operations["replayMessages"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["replayMessages"]['requestBody']>['content']["application/json"]> };
  getMessage: { readonly path: Given<NonNullable<operations["getMessage"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getMessage"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  getWebhook: { readonly headers?: Given<Omit<NonNullable<operations["getWebhook"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  setWebhook: { readonly headers?: Given<Omit<NonNullable<operations["setWebhook"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["setWebhook"]['requestBody']>['content']["application/json"]> };
  deleteWebhook: { readonly headers?: Given<Omit<NonNullable<operations["deleteWebhook"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  listKeys: { readonly query?: Given<NonNullable<operations["listKeys"]['parameters']["query"]>> | undefined };
  createKey: { readonly headers?: Given<Omit<NonNullable<operations["createKey"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["createKey"]['requestBody']>['content']["application/json"]> };
  rotateKey: { readonly path: Given<NonNullable<operations["rotateKey"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["rotateKey"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SentBody<"application/json", NonNullable<operations["rotateKey"]['requestBody']>['content']["application/json"]> };
  getKey: { readonly path: Given<NonNullable<operations["getKey"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getKey"]['parameters']["header"]>, IgnoredHeader>> | undefined };
  revokeKey: { readonly path: Given<NonNullable<operations["revokeKey"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["revokeKey"]['parameters']["header"]>, IgnoredHeader>> | undefined };
}

/** What the operations may be answered with. */
export interface Results {
  listPets:
    | Success<200, operations["listPets"]['responses'][200], "Link">
    | Failure<400, operations["listPets"]['responses'][400], "X-Stability">
    | Failure<401, operations["listPets"]['responses'][401]>
    | Failure<429, operations["listPets"]['responses'][429]>
    | Failure<500, operations["listPets"]['responses'][500], "X-Stability">
    | Failure<503, operations["listPets"]['responses'][503], "X-Stability">;
  createPet:
    | Success<201, operations["createPet"]['responses'][201], "Idempotent-Replayed">
    | Failure<400, operations["createPet"]['responses'][400], "X-Stability">
    | Failure<401, operations["createPet"]['responses'][401]>
    | Failure<409, operations["createPet"]['responses'][409], "X-Stability">
    | Failure<413, operations["createPet"]['responses'][413], "X-Stability">
    | Failure<429, operations["createPet"]['responses'][429]>
    | Failure<500, operations["createPet"]['responses'][500], "X-Stability">
    | Failure<503, operations["createPet"]['responses'][503], "X-Stability">;
  getPet:
    | Success<200, operations["getPet"]['responses'][200]>
    | Failure<304, Omit<operations["getPet"]['responses'][304], 'content'>>
    | Failure<400, operations["getPet"]['responses'][400]>
    | Failure<401, operations["getPet"]['responses'][401]>
    | Failure<404, operations["getPet"]['responses'][404]>
    | Failure<410, operations["getPet"]['responses'][410]>
    | Failure<429, operations["getPet"]['responses'][429]>
    | Failure<500, operations["getPet"]['responses'][500], "Deprecation" | "Sunset" | "Link">
    | Failure<503, operations["getPet"]['responses'][503], "Deprecation" | "Sunset" | "Link">;
  replacePet:
    | Success<200, operations["replacePet"]['responses'][200]>
    | Failure<400, operations["replacePet"]['responses'][400], "X-Stability">
    | Failure<401, operations["replacePet"]['responses'][401]>
    | Failure<404, operations["replacePet"]['responses'][404], "X-Stability">
    | Failure<412, operations["replacePet"]['responses'][412], "X-Stability">
    | Failure<413, operations["replacePet"]['responses'][413], "X-Stability">
    | Failure<429, operations["replacePet"]['responses'][429]>
    | Failure<500, operations["replacePet"]['responses'][500], "X-Stability">
    | Failure<503, operations["replacePet"]['responses'][503], "X-Stability">;
  deletePet:
    | Success<204, Omit<operations["deletePet"]['responses'][204], 'content'>>
    | Failure<400, operations["deletePet"]['responses'][400], "X-Stability">
    | Failure<401, operations["deletePet"]['responses'][401]>
    | Failure<404, operations["deletePet"]['responses'][404], "X-Stability">
    | Failure<409, operations["deletePet"]['responses'][409]>
    | Failure<412, operations["deletePet"]['responses'][412], "X-Stability">
    | Failure<429, operations["deletePet"]['responses'][429]>
    | Failure<500, operations["deletePet"]['responses'][500], "X-Stability">
    | Failure<503, operations["deletePet"]['responses'][503], "X-Stability">;
  updatePet:
    | Success<200, operations["updatePet"]['responses'][200]>
    | Failure<400, operations["updatePet"]['responses'][400], "X-Stability">
    | Failure<401, operations["updatePet"]['responses'][401]>
    | Failure<404, operations["updatePet"]['responses'][404], "X-Stability">
    | Failure<412, operations["updatePet"]['responses'][412], "X-Stability">
    | Failure<413, operations["updatePet"]['responses'][413], "X-Stability">
    | Failure<429, operations["updatePet"]['responses'][429]>
    | Failure<500, operations["updatePet"]['responses'][500], "X-Stability">
    | Failure<503, operations["updatePet"]['responses'][503], "X-Stability">;
  listCategories:
    | Success<200, operations["listCategories"]['responses'][200], "Link">
    | Failure<400, operations["listCategories"]['responses'][400], "X-Stability">
    | Failure<401, operations["listCategories"]['responses'][401]>
    | Failure<429, operations["listCategories"]['responses'][429]>
    | Failure<500, operations["listCategories"]['responses'][500], "X-Stability">
    | Failure<503, operations["listCategories"]['responses'][503], "X-Stability">;
  createCategory:
    | Success<201, operations["createCategory"]['responses'][201], "Idempotent-Replayed">
    | Failure<400, operations["createCategory"]['responses'][400], "X-Stability">
    | Failure<401, operations["createCategory"]['responses'][401]>
    | Failure<409, operations["createCategory"]['responses'][409], "X-Stability">
    | Failure<413, operations["createCategory"]['responses'][413], "X-Stability">
    | Failure<429, operations["createCategory"]['responses'][429]>
    | Failure<500, operations["createCategory"]['responses'][500], "X-Stability">
    | Failure<503, operations["createCategory"]['responses'][503], "X-Stability">;
  getCategory:
    | Success<200, operations["getCategory"]['responses'][200]>
    | Failure<304, Omit<operations["getCategory"]['responses'][304], 'content'>>
    | Failure<400, operations["getCategory"]['responses'][400], "X-Stability">
    | Failure<401, operations["getCategory"]['responses'][401]>
    | Failure<404, operations["getCategory"]['responses'][404], "X-Stability">
    | Failure<429, operations["getCategory"]['responses'][429]>
    | Failure<500, operations["getCategory"]['responses'][500], "X-Stability">
    | Failure<503, operations["getCategory"]['responses'][503], "X-Stability">;
  replaceCategory:
    | Success<200, operations["replaceCategory"]['responses'][200]>
    | Failure<400, operations["replaceCategory"]['responses'][400], "X-Stability">
    | Failure<401, operations["replaceCategory"]['responses'][401]>
    | Failure<404, operations["replaceCategory"]['responses'][404], "X-Stability">
    | Failure<412, operations["replaceCategory"]['responses'][412], "X-Stability">
    | Failure<413, operations["replaceCategory"]['responses'][413], "X-Stability">
    | Failure<429, operations["replaceCategory"]['responses'][429]>
    | Failure<500, operations["replaceCategory"]['responses'][500], "X-Stability">
    | Failure<503, operations["replaceCategory"]['responses'][503], "X-Stability">;
  deleteCategory:
    | Success<204, Omit<operations["deleteCategory"]['responses'][204], 'content'>>
    | Failure<400, operations["deleteCategory"]['responses'][400], "X-Stability">
    | Failure<401, operations["deleteCategory"]['responses'][401]>
    | Failure<404, operations["deleteCategory"]['responses'][404], "X-Stability">
    | Failure<409, operations["deleteCategory"]['responses'][409]>
    | Failure<412, operations["deleteCategory"]['responses'][412], "X-Stability">
    | Failure<429, operations["deleteCategory"]['responses'][429]>
    | Failure<500, operations["deleteCategory"]['responses'][500], "X-Stability">
    | Failure<503, operations["deleteCategory"]['responses'][503], "X-Stability">;
  updateCategory:
    | Success<200, operations["updateCategory"]['responses'][200]>
    | Failure<400, operations["updateCategory"]['responses'][400], "X-Stability">
    | Failure<401, operations["updateCategory"]['responses'][401]>
    | Failure<404, operations["updateCategory"]['responses'][404], "X-Stability">
    | Failure<412, operations["updateCategory"]['responses'][412], "X-Stability">
    | Failure<413, operations["updateCategory"]['responses'][413], "X-Stability">
    | Failure<429, operations["updateCategory"]['responses'][429]>
    | Failure<500, operations["updateCategory"]['responses'][500], "X-Stability">
    | Failure<503, operations["updateCategory"]['responses'][503], "X-Stability">;
  getStorePet:
    | Success<200, operations["getStorePet"]['responses'][200]>
    | Failure<304, Omit<operations["getStorePet"]['responses'][304], 'content'>>
    | Failure<400, operations["getStorePet"]['responses'][400], "X-Stability">
    | Failure<401, operations["getStorePet"]['responses'][401]>
    | Failure<404, operations["getStorePet"]['responses'][404], "X-Stability">
    | Failure<429, operations["getStorePet"]['responses'][429]>
    | Failure<500, operations["getStorePet"]['responses'][500], "X-Stability">
    | Failure<503, operations["getStorePet"]['responses'][503], "X-Stability">;
  listPhotos:
    | Success<200, operations["listPhotos"]['responses'][200], "Link">
    | Failure<400, operations["listPhotos"]['responses'][400], "X-Stability">
    | Failure<401, operations["listPhotos"]['responses'][401]>
    | Failure<404, operations["listPhotos"]['responses'][404], "X-Stability">
    | Failure<429, operations["listPhotos"]['responses'][429]>
    | Failure<500, operations["listPhotos"]['responses'][500], "X-Stability">
    | Failure<503, operations["listPhotos"]['responses'][503], "X-Stability">;
  createPhoto:
    | Success<201, operations["createPhoto"]['responses'][201]>
    | Failure<400, operations["createPhoto"]['responses'][400], "X-Stability">
    | Failure<401, operations["createPhoto"]['responses'][401]>
    | Failure<404, operations["createPhoto"]['responses'][404], "X-Stability">
    | Failure<409, operations["createPhoto"]['responses'][409]>
    | Failure<413, operations["createPhoto"]['responses'][413]>
    | Failure<429, operations["createPhoto"]['responses'][429]>
    | Failure<500, operations["createPhoto"]['responses'][500], "X-Stability">
    | Failure<503, operations["createPhoto"]['responses'][503], "X-Stability">;
  getPhoto:
    | Success<200, operations["getPhoto"]['responses'][200], "Accept-Ranges" | "Content-Disposition">
    | Success<206, operations["getPhoto"]['responses'][206], "Accept-Ranges" | "Content-Disposition">
    | Failure<304, Omit<operations["getPhoto"]['responses'][304], 'content'>>
    | Failure<400, operations["getPhoto"]['responses'][400], "X-Stability">
    | Failure<401, operations["getPhoto"]['responses'][401]>
    | Failure<404, operations["getPhoto"]['responses'][404], "X-Stability">
    | Failure<412, operations["getPhoto"]['responses'][412], "X-Stability">
    | Failure<416, operations["getPhoto"]['responses'][416]>
    | Failure<429, operations["getPhoto"]['responses'][429]>
    | Failure<500, operations["getPhoto"]['responses'][500], "X-Stability">
    | Failure<503, operations["getPhoto"]['responses'][503], "X-Stability">;
  deletePhoto:
    | Success<204, Omit<operations["deletePhoto"]['responses'][204], 'content'>>
    | Failure<400, operations["deletePhoto"]['responses'][400], "X-Stability">
    | Failure<401, operations["deletePhoto"]['responses'][401]>
    | Failure<404, operations["deletePhoto"]['responses'][404], "X-Stability">
    | Failure<429, operations["deletePhoto"]['responses'][429]>
    | Failure<500, operations["deletePhoto"]['responses'][500], "X-Stability">
    | Failure<503, operations["deletePhoto"]['responses'][503], "X-Stability">;
  listOrders:
    | Success<200, operations["listOrders"]['responses'][200], "Link">
    | Failure<400, operations["listOrders"]['responses'][400], "X-Stability">
    | Failure<401, operations["listOrders"]['responses'][401]>
    | Failure<429, operations["listOrders"]['responses'][429]>
    | Failure<500, operations["listOrders"]['responses'][500], "X-Stability">
    | Failure<503, operations["listOrders"]['responses'][503], "X-Stability">;
  createOrder:
    | Success<201, operations["createOrder"]['responses'][201], "Idempotent-Replayed">
    | Failure<400, operations["createOrder"]['responses'][400], "X-Stability">
    | Failure<401, operations["createOrder"]['responses'][401]>
    | Failure<409, operations["createOrder"]['responses'][409], "Retry-After">
    | Failure<413, operations["createOrder"]['responses'][413], "X-Stability">
    | Failure<429, operations["createOrder"]['responses'][429]>
    | Failure<500, operations["createOrder"]['responses'][500], "X-Stability">
    | Failure<503, operations["createOrder"]['responses'][503], "X-Stability">;
  getOrder:
    | Success<200, operations["getOrder"]['responses'][200]>
    | Failure<304, Omit<operations["getOrder"]['responses'][304], 'content'>>
    | Failure<400, operations["getOrder"]['responses'][400], "X-Stability">
    | Failure<401, operations["getOrder"]['responses'][401]>
    | Failure<404, operations["getOrder"]['responses'][404], "X-Stability">
    | Failure<429, operations["getOrder"]['responses'][429]>
    | Failure<500, operations["getOrder"]['responses'][500], "X-Stability">
    | Failure<503, operations["getOrder"]['responses'][503], "X-Stability">;
  deleteOrder:
    | Success<204, Omit<operations["deleteOrder"]['responses'][204], 'content'>>
    | Failure<400, operations["deleteOrder"]['responses'][400], "X-Stability">
    | Failure<401, operations["deleteOrder"]['responses'][401]>
    | Failure<404, operations["deleteOrder"]['responses'][404], "X-Stability">
    | Failure<409, operations["deleteOrder"]['responses'][409]>
    | Failure<412, operations["deleteOrder"]['responses'][412], "X-Stability">
    | Failure<429, operations["deleteOrder"]['responses'][429]>
    | Failure<500, operations["deleteOrder"]['responses'][500], "X-Stability">
    | Failure<503, operations["deleteOrder"]['responses'][503], "X-Stability">;
  updateOrder:
    | Success<200, operations["updateOrder"]['responses'][200]>
    | Failure<400, operations["updateOrder"]['responses'][400], "X-Stability">
    | Failure<401, operations["updateOrder"]['responses'][401]>
    | Failure<404, operations["updateOrder"]['responses'][404], "X-Stability">
    | Failure<409, operations["updateOrder"]['responses'][409]>
    | Failure<412, operations["updateOrder"]['responses'][412], "X-Stability">
    | Failure<413, operations["updateOrder"]['responses'][413], "X-Stability">
    | Failure<429, operations["updateOrder"]['responses'][429]>
    | Failure<500, operations["updateOrder"]['responses'][500], "X-Stability">
    | Failure<503, operations["updateOrder"]['responses'][503], "X-Stability">;
  listInventory:
    | Success<200, operations["listInventory"]['responses'][200], "Link">
    | Failure<400, operations["listInventory"]['responses'][400], "X-Stability">
    | Failure<401, operations["listInventory"]['responses'][401]>
    | Failure<429, operations["listInventory"]['responses'][429]>
    | Failure<500, operations["listInventory"]['responses'][500], "X-Stability">
    | Failure<503, operations["listInventory"]['responses'][503], "X-Stability">;
  listenToInventory:
    | Success<200, operations["listenToInventory"]['responses'][200]>
    | Failure<400, operations["listenToInventory"]['responses'][400], "X-Stability">
    | Failure<401, operations["listenToInventory"]['responses'][401]>
    | Failure<429, operations["listenToInventory"]['responses'][429]>
    | Failure<500, operations["listenToInventory"]['responses'][500], "X-Stability">
    | Failure<503, operations["listenToInventory"]['responses'][503], "X-Stability">;
  getInventory:
    | Success<200, operations["getInventory"]['responses'][200]>
    | Failure<304, Omit<operations["getInventory"]['responses'][304], 'content'>>
    | Failure<400, operations["getInventory"]['responses'][400], "X-Stability">
    | Failure<401, operations["getInventory"]['responses'][401]>
    | Failure<404, operations["getInventory"]['responses'][404], "X-Stability">
    | Failure<429, operations["getInventory"]['responses'][429]>
    | Failure<500, operations["getInventory"]['responses'][500], "X-Stability">
    | Failure<503, operations["getInventory"]['responses'][503], "X-Stability">;
  setInventory:
    | Success<200, operations["setInventory"]['responses'][200]>
    | Failure<400, operations["setInventory"]['responses'][400], "X-Stability">
    | Failure<401, operations["setInventory"]['responses'][401]>
    | Failure<404, operations["setInventory"]['responses'][404], "X-Stability">
    | Failure<412, operations["setInventory"]['responses'][412], "X-Stability">
    | Failure<413, operations["setInventory"]['responses'][413], "X-Stability">
    | Failure<429, operations["setInventory"]['responses'][429]>
    | Failure<500, operations["setInventory"]['responses'][500], "X-Stability">
    | Failure<503, operations["setInventory"]['responses'][503], "X-Stability">;
  createAccount:
    | Success<201, operations["createAccount"]['responses'][201], "Idempotent-Replayed">
    | Failure<400, operations["createAccount"]['responses'][400], "X-Stability">
    | Failure<409, operations["createAccount"]['responses'][409], "Retry-After">
    | Failure<413, operations["createAccount"]['responses'][413], "X-Stability">
    | Failure<429, operations["createAccount"]['responses'][429]>
    | Failure<500, operations["createAccount"]['responses'][500], "X-Stability">
    | Failure<503, operations["createAccount"]['responses'][503], "X-Stability">;
  requestSignUp:
    | Success<204, Omit<operations["requestSignUp"]['responses'][204], 'content'>, "Idempotent-Replayed">
    | Failure<400, operations["requestSignUp"]['responses'][400], "X-Stability">
    | Failure<409, operations["requestSignUp"]['responses'][409], "X-Stability">
    | Failure<413, operations["requestSignUp"]['responses'][413], "X-Stability">
    | Failure<429, operations["requestSignUp"]['responses'][429]>
    | Failure<500, operations["requestSignUp"]['responses'][500], "X-Stability">
    | Failure<503, operations["requestSignUp"]['responses'][503], "X-Stability">;
  confirmSignUp:
    | Success<201, operations["confirmSignUp"]['responses'][201], "Idempotent-Replayed">
    | Failure<400, operations["confirmSignUp"]['responses'][400], "X-Stability">
    | Failure<409, operations["confirmSignUp"]['responses'][409], "Retry-After">
    | Failure<413, operations["confirmSignUp"]['responses'][413], "X-Stability">
    | Failure<429, operations["confirmSignUp"]['responses'][429]>
    | Failure<500, operations["confirmSignUp"]['responses'][500], "X-Stability">
    | Failure<503, operations["confirmSignUp"]['responses'][503], "X-Stability">;
  getAccount:
    | Success<200, operations["getAccount"]['responses'][200]>
    | Failure<304, Omit<operations["getAccount"]['responses'][304], 'content'>>
    | Failure<400, operations["getAccount"]['responses'][400], "X-Stability">
    | Failure<401, operations["getAccount"]['responses'][401]>
    | Failure<429, operations["getAccount"]['responses'][429]>
    | Failure<500, operations["getAccount"]['responses'][500], "X-Stability">
    | Failure<503, operations["getAccount"]['responses'][503], "X-Stability">;
  getRateLimit:
    | Success<200, operations["getRateLimit"]['responses'][200]>
    | Failure<400, operations["getRateLimit"]['responses'][400], "X-Stability">
    | Failure<401, operations["getRateLimit"]['responses'][401]>
    | Failure<429, operations["getRateLimit"]['responses'][429]>
    | Failure<500, operations["getRateLimit"]['responses'][500], "X-Stability">
    | Failure<503, operations["getRateLimit"]['responses'][503], "X-Stability">;
  sendMessage:
    | Success<202, operations["sendMessage"]['responses'][202], "Idempotent-Replayed">
    | Failure<400, operations["sendMessage"]['responses'][400], "X-Stability">
    | Failure<401, operations["sendMessage"]['responses'][401]>
    | Failure<409, operations["sendMessage"]['responses'][409], "X-Stability">
    | Failure<413, operations["sendMessage"]['responses'][413], "X-Stability">
    | Failure<429, operations["sendMessage"]['responses'][429]>
    | Failure<500, operations["sendMessage"]['responses'][500], "X-Stability">
    | Failure<503, operations["sendMessage"]['responses'][503], "X-Stability">;
  replayMessages:
    | Success<200, operations["replayMessages"]['responses'][200], "Idempotent-Replayed">
    | Failure<400, operations["replayMessages"]['responses'][400], "X-Stability">
    | Failure<401, operations["replayMessages"]['responses'][401]>
    | Failure<409, operations["replayMessages"]['responses'][409], "X-Stability">
    | Failure<413, operations["replayMessages"]['responses'][413], "X-Stability">
    | Failure<429, operations["replayMessages"]['responses'][429]>
    | Failure<500, operations["replayMessages"]['responses'][500], "X-Stability">
    | Failure<503, operations["replayMessages"]['responses'][503], "X-Stability">;
  getMessage:
    | Success<200, operations["getMessage"]['responses'][200]>
    | Failure<304, Omit<operations["getMessage"]['responses'][304], 'content'>>
    | Failure<400, operations["getMessage"]['responses'][400], "X-Stability">
    | Failure<401, operations["getMessage"]['responses'][401]>
    | Failure<404, operations["getMessage"]['responses'][404], "X-Stability">
    | Failure<429, operations["getMessage"]['responses'][429]>
    | Failure<500, operations["getMessage"]['responses'][500], "X-Stability">
    | Failure<503, operations["getMessage"]['responses'][503], "X-Stability">;
  getWebhook:
    | Success<200, operations["getWebhook"]['responses'][200]>
    | Failure<304, Omit<operations["getWebhook"]['responses'][304], 'content'>>
    | Failure<400, operations["getWebhook"]['responses'][400], "X-Stability">
    | Failure<401, operations["getWebhook"]['responses'][401]>
    | Failure<404, operations["getWebhook"]['responses'][404], "X-Stability">
    | Failure<429, operations["getWebhook"]['responses'][429]>
    | Failure<500, operations["getWebhook"]['responses'][500], "X-Stability">
    | Failure<503, operations["getWebhook"]['responses'][503], "X-Stability">;
  setWebhook:
    | Success<200, operations["setWebhook"]['responses'][200]>
    | Failure<400, operations["setWebhook"]['responses'][400], "X-Stability">
    | Failure<401, operations["setWebhook"]['responses'][401]>
    | Failure<412, operations["setWebhook"]['responses'][412], "X-Stability">
    | Failure<413, operations["setWebhook"]['responses'][413], "X-Stability">
    | Failure<429, operations["setWebhook"]['responses'][429]>
    | Failure<500, operations["setWebhook"]['responses'][500], "X-Stability">
    | Failure<503, operations["setWebhook"]['responses'][503], "X-Stability">;
  deleteWebhook:
    | Success<204, Omit<operations["deleteWebhook"]['responses'][204], 'content'>>
    | Failure<400, operations["deleteWebhook"]['responses'][400], "X-Stability">
    | Failure<401, operations["deleteWebhook"]['responses'][401]>
    | Failure<404, operations["deleteWebhook"]['responses'][404], "X-Stability">
    | Failure<412, operations["deleteWebhook"]['responses'][412], "X-Stability">
    | Failure<429, operations["deleteWebhook"]['responses'][429]>
    | Failure<500, operations["deleteWebhook"]['responses'][500], "X-Stability">
    | Failure<503, operations["deleteWebhook"]['responses'][503], "X-Stability">;
  listKeys:
    | Success<200, operations["listKeys"]['responses'][200], "Link">
    | Failure<400, operations["listKeys"]['responses'][400], "X-Stability">
    | Failure<401, operations["listKeys"]['responses'][401]>
    | Failure<429, operations["listKeys"]['responses'][429]>
    | Failure<500, operations["listKeys"]['responses'][500], "X-Stability">
    | Failure<503, operations["listKeys"]['responses'][503], "X-Stability">;
  createKey:
    | Success<201, operations["createKey"]['responses'][201], "Idempotent-Replayed">
    | Failure<400, operations["createKey"]['responses'][400], "X-Stability">
    | Failure<401, operations["createKey"]['responses'][401]>
    | Failure<409, operations["createKey"]['responses'][409], "Retry-After">
    | Failure<413, operations["createKey"]['responses'][413], "X-Stability">
    | Failure<429, operations["createKey"]['responses'][429]>
    | Failure<500, operations["createKey"]['responses'][500], "X-Stability">
    | Failure<503, operations["createKey"]['responses'][503], "X-Stability">;
  rotateKey:
    | Success<201, operations["rotateKey"]['responses'][201], "Idempotent-Replayed">
    | Failure<400, operations["rotateKey"]['responses'][400], "X-Stability">
    | Failure<401, operations["rotateKey"]['responses'][401]>
    | Failure<403, operations["rotateKey"]['responses'][403]>
    | Failure<404, operations["rotateKey"]['responses'][404], "X-Stability">
    | Failure<409, operations["rotateKey"]['responses'][409], "Retry-After">
    | Failure<413, operations["rotateKey"]['responses'][413], "X-Stability">
    | Failure<429, operations["rotateKey"]['responses'][429]>
    | Failure<500, operations["rotateKey"]['responses'][500], "X-Stability">
    | Failure<503, operations["rotateKey"]['responses'][503], "X-Stability">;
  getKey:
    | Success<200, operations["getKey"]['responses'][200]>
    | Failure<304, Omit<operations["getKey"]['responses'][304], 'content'>>
    | Failure<400, operations["getKey"]['responses'][400], "X-Stability">
    | Failure<401, operations["getKey"]['responses'][401]>
    | Failure<404, operations["getKey"]['responses'][404], "X-Stability">
    | Failure<429, operations["getKey"]['responses'][429]>
    | Failure<500, operations["getKey"]['responses'][500], "X-Stability">
    | Failure<503, operations["getKey"]['responses'][503], "X-Stability">;
  revokeKey:
    | Success<204, Omit<operations["revokeKey"]['responses'][204], 'content'>>
    | Failure<400, operations["revokeKey"]['responses'][400], "X-Stability">
    | Failure<401, operations["revokeKey"]['responses'][401]>
    | Failure<403, operations["revokeKey"]['responses'][403]>
    | Failure<404, operations["revokeKey"]['responses'][404], "X-Stability">
    | Failure<409, operations["revokeKey"]['responses'][409]>
    | Failure<412, operations["revokeKey"]['responses'][412], "X-Stability">
    | Failure<429, operations["revokeKey"]['responses'][429]>
    | Failure<500, operations["revokeKey"]['responses'][500], "X-Stability">
    | Failure<503, operations["revokeKey"]['responses'][503], "X-Stability">;
}

/** A method for each operation. It rejects for what is not declared (`UnexpectedResponseError`), failures of the network, and an aborted signal. */
export interface Client {
  /**
   * List pets
   *
   * The pets of the account, oldest first.
   */
  listPets(input?: Inputs["listPets"], call?: CallOptions): Promise<Results["listPets"]>;
  /**
   * Create a pet
   *
   * Creates a pet in one of the account's categories. Its stock starts at 0.
   */
  createPet(input: Inputs["createPet"], call?: CallOptions): Promise<Results["createPet"]>;
  /**
   * Read a pet (deprecated)
   *
   * Use `GET /store/pets/{petId}`, which answers with the same body.
   * @deprecated Use getStorePet.
   */
  getPet(input: Inputs["getPet"], call?: CallOptions): Promise<Results["getPet"]>;
  /**
   * Replace a pet
   *
   * Replaces every field of the pet. Never creates one.
   */
  replacePet(input: Inputs["replacePet"], call?: CallOptions): Promise<Results["replacePet"]>;
  /**
   * Delete a pet
   *
   * Deletes the pet, its stock and its photos. A pet with open orders stays; complete orders keep its id.
   */
  deletePet(input: Inputs["deletePet"], call?: CallOptions): Promise<Results["deletePet"]>;
  /**
   * Change single fields of a pet
   *
   * A JSON Merge Patch (RFC 7396). Fields that are not in the body stay as they are.
   */
  updatePet(input: Inputs["updatePet"], call?: CallOptions): Promise<Results["updatePet"]>;
  /**
   * List categories
   *
   * The categories of the account, oldest first.
   */
  listCategories(input?: Inputs["listCategories"], call?: CallOptions): Promise<Results["listCategories"]>;
  /**
   * Create a category
   *
   * Creates a category, a kind of animal.
   */
  createCategory(input: Inputs["createCategory"], call?: CallOptions): Promise<Results["createCategory"]>;
  /**
   * Read a category
   *
   * Reads one category.
   */
  getCategory(input: Inputs["getCategory"], call?: CallOptions): Promise<Results["getCategory"]>;
  /**
   * Replace a category
   *
   * Replaces every field of the category. Never creates one.
   */
  replaceCategory(input: Inputs["replaceCategory"], call?: CallOptions): Promise<Results["replaceCategory"]>;
  /**
   * Delete a category
   *
   * Deletes the category. One that still has pets stays.
   */
  deleteCategory(input: Inputs["deleteCategory"], call?: CallOptions): Promise<Results["deleteCategory"]>;
  /**
   * Change single fields of a category
   *
   * A JSON Merge Patch (RFC 7396). Fields that are not in the body stay as they are; `description: null` removes
   * the description.
   */
  updateCategory(input: Inputs["updateCategory"], call?: CallOptions): Promise<Results["updateCategory"]>;
  /**
   * Read a pet
   *
   * Reads one pet.
   */
  getStorePet(input: Inputs["getStorePet"], call?: CallOptions): Promise<Results["getStorePet"]>;
  /**
   * List the photos of a pet
   *
   * What is known of the photos of a pet, oldest first. `GET /store/pets/{petId}/photos/{photoId}` has their bytes.
   */
  listPhotos(input: Inputs["listPhotos"], call?: CallOptions): Promise<Results["listPhotos"]>;
  /**
   * Upload a photo of a pet
   *
   * A JPEG, PNG, GIF or WebP image of at most 5 MiB, as a form sends a file. Its type is found by looking at its bytes, whatever is said
   * of it; what is none of these is refused (`invalid_image`). The photos of an account have at most 50 MiB in all, those that are being
   * uploaded included. The upload cannot be repeated by a key: a client that has had no answer looks at the list.
   */
  createPhoto(input: Inputs["createPhoto"], call?: CallOptions): Promise<Results["createPhoto"]>;
  /**
   * Download a photo
   *
   * The bytes of a photo, with the type that was found by looking at them. They never change: the `ETag` is made of them. A part is asked for
   * with `Range`; several ranges at once are not served. A browser shows a photo, and runs nothing of it.
   */
  getPhoto(input: Inputs["getPhoto"], call?: CallOptions): Promise<Results["getPhoto"]>;
  /**
   * Delete a photo
   *
   * Deletes a photo. Its bytes do not count for the quota of the account any more.
   */
  deletePhoto(input: Inputs["deletePhoto"], call?: CallOptions): Promise<Results["deletePhoto"]>;
  /**
   * List orders
   *
   * The orders of the account, oldest first.
   */
  listOrders(input?: Inputs["listOrders"], call?: CallOptions): Promise<Results["listOrders"]>;
  /**
   * Create an order
   *
   * `{}` is a draft. With a `petId` (`quantity` is 1 if it is not given) the units are taken from the pet's stock at
   * once: either the order is made and the units are reserved, or neither. The last unit makes the pet `pending`. A pet
   * that is `sold` cannot be ordered.
   */
  createOrder(input: Inputs["createOrder"], call?: CallOptions): Promise<Results["createOrder"]>;
  /**
   * Read an order
   *
   * Reads one order.
   */
  getOrder(input: Inputs["getOrder"], call?: CallOptions): Promise<Results["getOrder"]>;
  /**
   * Cancel an order
   *
   * Deletes an open order and releases its units. A complete order stays.
   */
  deleteOrder(input: Inputs["deleteOrder"], call?: CallOptions): Promise<Results["deleteOrder"]>;
  /**
   * Change or complete an order
   *
   * A JSON Merge Patch (RFC 7396). What changes is reserved or released in the same step. `complete: true` fulfils
   * the order, for good: after that only `shipDate` may change. The last order completed when the stock is 0 makes the
   * pet `sold`. `null` removes `petId`, `quantity` or `shipDate`.
   */
  updateOrder(input: Inputs["updateOrder"], call?: CallOptions): Promise<Results["updateOrder"]>;
  /**
   * List the inventory
   *
   * One entry for each pet of the account, oldest pet first.
   */
  listInventory(input?: Inputs["listInventory"], call?: CallOptions): Promise<Results["listInventory"]>;
  /**
   * Listen to changes of the stock
   *
   * Server-sent events: every change of a pet's stock or status from now on, in the order in which they happened. `changed` has the
   * entry as the change left it, `removed` the pet that was deleted. An event has an `id`; a client that sends the last one it has as
   * `Last-Event-ID`, as browsers do when they connect again, gets every event after it.
   *
   * `reset` says that something may be missing: read `GET /store/inventory` again, and apply the events that follow. A stream without
   * `Last-Event-ID` begins with it (`started`), and so does one whose next events are not kept any more (`expired`): they are kept
   * for a time that the operator of the service sets, 24 hours unless told otherwise.
   */
  listenToInventory(input?: Inputs["listenToInventory"], call?: CallOptions): Promise<Results["listenToInventory"]>;
  /**
   * Read the stock of a pet
   *
   * The units that can still be ordered. Units reserved by open orders are not among them.
   */
  getInventory(input: Inputs["getInventory"], call?: CallOptions): Promise<Results["getInventory"]>;
  /**
   * Set the stock of a pet
   *
   * Sets how many units can be ordered from now on; what open orders hold is not part of it. A pet that was out of
   * stock becomes `available` again.
   */
  setInventory(input: Inputs["setInventory"], call?: CallOptions): Promise<Results["setInventory"]>;
  /**
   * Create an account
   *
   * Creates an account on the Free plan and its first API key. The key is shown this once. A sign-up weighs as much as ten other
   * requests of an IP address, which may send five in a minute and twenty in a day, whatever becomes of them. Where the operator
   * has sign-ups confirmed by mail it is not served: `POST /sign-ups`.
   */
  createAccount(input: Inputs["createAccount"], call?: CallOptions): Promise<Results["createAccount"]>;
  /**
   * Sign up by mail
   *
   * Where the operator has sign-ups confirmed by mail: has a mail with a token sent to the address. The answer is the same whether the
   * address has an account or not. It weighs as much as `POST /accounts`. Elsewhere it is not served.
   */
  requestSignUp(input: Inputs["requestSignUp"], call?: CallOptions): Promise<Results["requestSignUp"]>;
  /**
   * Confirm a sign-up
   *
   * Creates the account that the token of a mail is for, on the Free plan, and its first API key. The key is shown this once. A token is
   * valid for a day.
   */
  confirmSignUp(input: Inputs["confirmSignUp"], call?: CallOptions): Promise<Results["confirmSignUp"]>;
  /**
   * Read your account
   *
   * The account that the API key belongs to.
   */
  getAccount(input?: Inputs["getAccount"], call?: CallOptions): Promise<Results["getAccount"]>;
  /**
   * Read the rate limits
   *
   * Both windows of the calling account, and the ban of the calling key if there is one. Costs nothing, and is
   * answered when nothing is left and to a banned key too. While the counters cannot be read each server limits by
   * what it knows, and this is `503`: a guess would not be the account's limits.
   */
  getRateLimit(input?: Inputs["getRateLimit"], call?: CallOptions): Promise<Results["getRateLimit"]>;
  /**
   * Send a message
   *
   * Queues a message and answers at once. `status` says how far it is: `queued`; `sent` once your webhook has accepted it
   * or, if the account has none, once the service has processed it; `failed` when every try was in vain, or the webhook was
   * removed before. Read it again with `GET /messages/{messageId}`.
   *
   * Delivery is a `POST` to the address of `PUT /account/webhook`, with the payload and the headers of Standard Webhooks
   * (https://www.standardwebhooks.com), whose libraries verify it with the secret. The body is `MessageCreated`, that of
   * `x-webhooks`:
   *
   * - `webhook-id`: the message's id. A message may arrive more than once, always with this id: act on each id once.
   * - `webhook-timestamp`: when this try was made, in seconds since 1970. Refuse what is more than five minutes old.
   * - `webhook-signature`: `v1,` and the base64 of an HMAC-SHA256 of the id, a full stop, the timestamp, a full stop and
   *   the bytes of the body. Its key is what the secret has after `whsec_`, decoded from base64. Compute it over the body as
   *   received, and compare in constant time.
   *
   * Answer with any `2xx` within ten seconds; the body is not read. Anything else, a redirect included, is tried again for three
   * days, first after seconds and then ever more rarely, up to an hour apart, or as long after as `Retry-After` asks. `410` says
   * that the webhook is gone: nothing more is sent to it until it is set again. After five failures in a row the webhook is paused
   * for a minute, and longer after each further one, up to an hour. What was given up is sent again by `POST /messages/replays`.
   * Messages of one account are not necessarily delivered in order. A message that is `sent` or `failed` is kept for a time that the
   * operator of the service sets, 30 days unless told otherwise; after it the message is not found.
   */
  sendMessage(input: Inputs["sendMessage"], call?: CallOptions): Promise<Results["sendMessage"]>;
  /**
   * Send failed messages again
   *
   * Queues the messages of the account again that are `failed`, under their ids, as if they were new: for a webhook that was away for longer
   * than messages are tried. A receiver that has taken one before knows it by its `webhook-id`.
   */
  replayMessages(input: Inputs["replayMessages"], call?: CallOptions): Promise<Results["replayMessages"]>;
  /**
   * Read a message
   *
   * The message and how far it is.
   */
  getMessage(input: Inputs["getMessage"], call?: CallOptions): Promise<Results["getMessage"]>;
  /**
   * Read your webhook
   *
   * Where messages are delivered. The secret is not shown again.
   */
  getWebhook(input?: Inputs["getWebhook"], call?: CallOptions): Promise<Results["getWebhook"]>;
  /**
   * Set your webhook
   *
   * Sets where messages are delivered from now on, and answers with a new secret to check their signatures with: see
   * `POST /messages`. The secret is shown this once, and each call makes a new one, which takes effect at once. The
   * service keeps it as it is, since signing needs it.
   *
   * The address is `http` or `https` on port 80, 443 or one from 1024 on, without user name, password or fragment. Private,
   * loopback and other addresses that are not public are refused (`invalid_webhook_url`): here if the URL names one, and
   * again at each delivery if its host name leads to one.
   */
  setWebhook(input: Inputs["setWebhook"], call?: CallOptions): Promise<Results["setWebhook"]>;
  /**
   * Remove your webhook
   *
   * Messages are not delivered any more. Those that are still queued become `failed` once they are processed, and can be sent again by
   * `POST /messages/replays` after a webhook was set.
   */
  deleteWebhook(input?: Inputs["deleteWebhook"], call?: CallOptions): Promise<Results["deleteWebhook"]>;
  /**
   * List API keys
   *
   * The account's API keys, oldest first, without their secrets. Keys that were revoked are not among them; keys
   * that have expired are, until they are removed, 90 days later.
   */
  listKeys(input?: Inputs["listKeys"], call?: CallOptions): Promise<Results["listKeys"]>;
  /**
   * Create an API key
   *
   * Creates another key of the account, with the scopes of the API key that asks for it. The key itself is in this answer only: it is shown once and kept nowhere.
   * An account has at most 100 valid keys.
   */
  createKey(input: Inputs["createKey"], call?: CallOptions): Promise<Results["createKey"]>;
  /**
   * Replace an API key
   *
   * Creates a key of the same name and the same end in the place of this one, which stays valid for the grace period
   * and not longer. The new key is in this answer only, and in that to a retry with the same `Idempotency-Key`: its
   * hash is all that is kept. A retry needs a valid key too: without a grace period, send both with another key than the
   * one that is replaced. An API key that is restricted to scopes replaces only keys whose scopes it has.
   */
  rotateKey(input: Inputs["rotateKey"], call?: CallOptions): Promise<Results["rotateKey"]>;
  /**
   * Read an API key
   *
   * What is known of one key. Its secret is not.
   */
  getKey(input: Inputs["getKey"], call?: CallOptions): Promise<Results["getKey"]>;
  /**
   * Revoke an API key
   *
   * Ends a key at once, wherever it is used. A key may revoke itself. The last key that is valid and not replaced
   * stays, or nobody could call for the account any more: create another first, or rotate it. An API key that is
   * restricted to scopes revokes only keys whose scopes it has.
   */
  revokeKey(input: Inputs["revokeKey"], call?: CallOptions): Promise<Results["revokeKey"]>;
}

/** The operations that have pages. */
export type PagedOperation = "listPets" | "listCategories" | "listPhotos" | "listOrders" | "listInventory" | "listKeys";

/** The operations that answer with events. */
export type EventOperation = "listenToInventory";

/** By security scheme. */
export interface Credentials {
  readonly "bearerAuth": Credential;
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  "bearerAuth": {"in":"header","name":"Authorization","prefix":"Bearer "},
};

const R1: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Link":"text"}};
const R2: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","X-Stability":"text"}};
const R3: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","WWW-Authenticate":"text!"}};
const R4: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Retry-After":"number!"}};
const R5: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","X-Stability":"text","Retry-After":"number!"}};
const R6: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Location":"text!","ETag":"text!","Idempotent-Replayed":"text"}};
const R7: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","ETag":"text!","Deprecation":"text!","Sunset":"text!","Link":"text!"}};
const R8: ResponseEntry = {"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","ETag":"text!","Deprecation":"text!","Sunset":"text!","Link":"text!"}};
const R9: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Deprecation":"text!","Sunset":"text!","Link":"text!"}};
const R10: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Deprecation":"text!","Sunset":"text!","Link":"text!","WWW-Authenticate":"text!"}};
const R11: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Deprecation":"text!","Sunset":"text!","Link":"text!","Retry-After":"number!"}};
const R12: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Deprecation":"text","Sunset":"text","Link":"text"}};
const R13: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Deprecation":"text","Sunset":"text","Link":"text","Retry-After":"number!"}};
const R14: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","ETag":"text!"}};
const R15: ResponseEntry = {"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!"}};
const R16: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!"}};
const R17: ResponseEntry = {"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","ETag":"text!"}};
const R18: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Link":"text","X-Stability":"text!"}};
const R19: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Location":"text!","ETag":"text!","X-Stability":"text!"}};
const R20: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","X-Stability":"text!"}};
const R21: ResponseEntry = {"types":["image/jpeg","image/png","image/gif","image/webp"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","ETag":"text!","X-Stability":"text!","Content-Security-Policy":"text!","Accept-Ranges":"text","Content-Disposition":"text"}};
const R22: ResponseEntry = {"types":["image/jpeg","image/png","image/gif","image/webp"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","X-Stability":"text!","Content-Security-Policy":"text!","Accept-Ranges":"text","Content-Disposition":"text","ETag":"text!","Content-Range":"text!"}};
const R23: ResponseEntry = {"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","ETag":"text!","X-Stability":"text!","Content-Security-Policy":"text!"}};
const R24: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","X-Stability":"text!","Content-Range":"text!"}};
const R25: ResponseEntry = {"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","X-Stability":"text!"}};
const R26: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Retry-After":"number"}};
const R27: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","ETag":"text!","X-Stability":"text!"}};
const R28: ResponseEntry = {"types":["text/event-stream"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","X-Stability":"text!"},"items":{"text/event-stream":"event"}, readItems};
const R29: ResponseEntry = {"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Idempotent-Replayed":"text"}};
const R30: ResponseEntry = {"types":["application/json"],"headers":{"X-Request-Id":"text!","X-RateLimit-Limit":"number!","X-RateLimit-Remaining":"number!","X-RateLimit-Reset":"number!","RateLimit":"text!","RateLimit-Policy":"text!","Idempotent-Replayed":"text"}};

/** What `createPartialClient` is given: an operation, exported under its operationId. */
export interface Operation<Id extends keyof Client> extends OperationEntry {
  readonly id: Id;
}

const O1: Operation<"listPets"> = { "id":"listPets","method":"GET","path":"/pets","security":[["bearerAuth"]],"parameters":[["query","status"],["query","categoryId"],["query","limit"],["query","cursor"]], responses: { "200": R1, "400": R2, "401": R3, "429": R4, "500": R2, "503": R5 } };
const O2: Operation<"createPet"> = { "id":"createPet","method":"POST","path":"/pets","security":[["bearerAuth"]],"parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "201": R6, "400": R2, "401": R3, "409": R5, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O3: Operation<"getPet"> = { "id":"getPet","method":"GET","path":"/pets/{petId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["headers","If-None-Match"]], responses: { "200": R7, "304": R8, "400": R9, "401": R10, "404": R9, "410": R9, "429": R11, "500": R12, "503": R13 } };
const O4: Operation<"replacePet"> = { "id":"replacePet","method":"PUT","path":"/pets/{petId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["headers","If-Match"],["headers","If-None-Match"]],"body":["application/json"], responses: { "200": R14, "400": R2, "401": R3, "404": R2, "412": R2, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O5: Operation<"deletePet"> = { "id":"deletePet","method":"DELETE","path":"/pets/{petId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["headers","If-Match"]], responses: { "204": R15, "400": R2, "401": R3, "404": R2, "409": R16, "412": R2, "429": R4, "500": R2, "503": R5 } };
const O6: Operation<"updatePet"> = { "id":"updatePet","method":"PATCH","path":"/pets/{petId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["headers","If-Match"]],"body":["application/json","application/merge-patch+json"], responses: { "200": R14, "400": R2, "401": R3, "404": R2, "412": R2, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O7: Operation<"listCategories"> = { "id":"listCategories","method":"GET","path":"/categories","security":[["bearerAuth"]],"parameters":[["query","limit"],["query","cursor"]], responses: { "200": R1, "400": R2, "401": R3, "429": R4, "500": R2, "503": R5 } };
const O8: Operation<"createCategory"> = { "id":"createCategory","method":"POST","path":"/categories","security":[["bearerAuth"]],"parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "201": R6, "400": R2, "401": R3, "409": R5, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O9: Operation<"getCategory"> = { "id":"getCategory","method":"GET","path":"/categories/{categoryId}","security":[["bearerAuth"]],"parameters":[["path","categoryId"],["headers","If-None-Match"]], responses: { "200": R14, "304": R17, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O10: Operation<"replaceCategory"> = { "id":"replaceCategory","method":"PUT","path":"/categories/{categoryId}","security":[["bearerAuth"]],"parameters":[["path","categoryId"],["headers","If-Match"],["headers","If-None-Match"]],"body":["application/json"], responses: { "200": R14, "400": R2, "401": R3, "404": R2, "412": R2, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O11: Operation<"deleteCategory"> = { "id":"deleteCategory","method":"DELETE","path":"/categories/{categoryId}","security":[["bearerAuth"]],"parameters":[["path","categoryId"],["headers","If-Match"]], responses: { "204": R15, "400": R2, "401": R3, "404": R2, "409": R16, "412": R2, "429": R4, "500": R2, "503": R5 } };
const O12: Operation<"updateCategory"> = { "id":"updateCategory","method":"PATCH","path":"/categories/{categoryId}","security":[["bearerAuth"]],"parameters":[["path","categoryId"],["headers","If-Match"]],"body":["application/json","application/merge-patch+json"], responses: { "200": R14, "400": R2, "401": R3, "404": R2, "412": R2, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O13: Operation<"getStorePet"> = { "id":"getStorePet","method":"GET","path":"/store/pets/{petId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["headers","If-None-Match"]], responses: { "200": R14, "304": R17, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O14: Operation<"listPhotos"> = { "id":"listPhotos","method":"GET","path":"/store/pets/{petId}/photos","security":[["bearerAuth"]],"parameters":[["path","petId"],["query","limit"],["query","cursor"]], responses: { "200": R18, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O15: Operation<"createPhoto"> = { "id":"createPhoto","method":"POST","path":"/store/pets/{petId}/photos","security":[["bearerAuth"]],"parameters":[["path","petId"]],"body":["multipart/form-data"], responses: { "201": R19, "400": R2, "401": R3, "404": R2, "409": R20, "413": R20, "429": R4, "500": R2, "503": R5 }, writeMultipart };
const O16: Operation<"getPhoto"> = { "id":"getPhoto","method":"GET","path":"/store/pets/{petId}/photos/{photoId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["path","photoId"],["headers","If-Match"],["headers","If-None-Match"],["headers","Range"],["headers","If-Range"]], responses: { "200": R21, "206": R22, "304": R23, "400": R2, "401": R3, "404": R2, "412": R2, "416": R24, "429": R4, "500": R2, "503": R5 } };
const O17: Operation<"deletePhoto"> = { "id":"deletePhoto","method":"DELETE","path":"/store/pets/{petId}/photos/{photoId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["path","photoId"]], responses: { "204": R25, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O18: Operation<"listOrders"> = { "id":"listOrders","method":"GET","path":"/store/orders","security":[["bearerAuth"]],"parameters":[["query","petId"],["query","complete"],["query","limit"],["query","cursor"]], responses: { "200": R1, "400": R2, "401": R3, "429": R4, "500": R2, "503": R5 } };
const O19: Operation<"createOrder"> = { "id":"createOrder","method":"POST","path":"/store/orders","security":[["bearerAuth"]],"parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "201": R6, "400": R2, "401": R3, "409": R26, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O20: Operation<"getOrder"> = { "id":"getOrder","method":"GET","path":"/store/orders/{orderId}","security":[["bearerAuth"]],"parameters":[["path","orderId"],["headers","If-None-Match"]], responses: { "200": R14, "304": R17, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O21: Operation<"deleteOrder"> = { "id":"deleteOrder","method":"DELETE","path":"/store/orders/{orderId}","security":[["bearerAuth"]],"parameters":[["path","orderId"],["headers","If-Match"]], responses: { "204": R15, "400": R2, "401": R3, "404": R2, "409": R16, "412": R2, "429": R4, "500": R2, "503": R5 } };
const O22: Operation<"updateOrder"> = { "id":"updateOrder","method":"PATCH","path":"/store/orders/{orderId}","security":[["bearerAuth"]],"parameters":[["path","orderId"],["headers","If-Match"]],"body":["application/json","application/merge-patch+json"], responses: { "200": R27, "400": R2, "401": R3, "404": R2, "409": R20, "412": R2, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O23: Operation<"listInventory"> = { "id":"listInventory","method":"GET","path":"/store/inventory","security":[["bearerAuth"]],"parameters":[["query","status"],["query","limit"],["query","cursor"]], responses: { "200": R18, "400": R2, "401": R3, "429": R4, "500": R2, "503": R5 } };
const O24: Operation<"listenToInventory"> = { "id":"listenToInventory","method":"GET","path":"/store/inventory/events","security":[["bearerAuth"]],"parameters":[["headers","Last-Event-ID"]], responses: { "200": R28, "400": R2, "401": R3, "429": R4, "500": R2, "503": R5 } };
const O25: Operation<"getInventory"> = { "id":"getInventory","method":"GET","path":"/store/inventory/{petId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["headers","If-None-Match"]], responses: { "200": R14, "304": R17, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O26: Operation<"setInventory"> = { "id":"setInventory","method":"PUT","path":"/store/inventory/{petId}","security":[["bearerAuth"]],"parameters":[["path","petId"],["headers","If-Match"],["headers","If-None-Match"]],"body":["application/json"], responses: { "200": R14, "400": R2, "401": R3, "404": R2, "412": R2, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O27: Operation<"createAccount"> = { "id":"createAccount","method":"POST","path":"/accounts","parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "201": R6, "400": R2, "409": R26, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O28: Operation<"requestSignUp"> = { "id":"requestSignUp","method":"POST","path":"/sign-ups","parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "204": R29, "400": R2, "409": R5, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O29: Operation<"confirmSignUp"> = { "id":"confirmSignUp","method":"POST","path":"/sign-ups/confirmations","parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "201": R6, "400": R2, "409": R26, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O30: Operation<"getAccount"> = { "id":"getAccount","method":"GET","path":"/account","security":[["bearerAuth"]],"parameters":[["headers","If-None-Match"]], responses: { "200": R14, "304": R17, "400": R2, "401": R3, "429": R4, "500": R2, "503": R5 } };
const O31: Operation<"getRateLimit"> = { "id":"getRateLimit","method":"GET","path":"/rate-limit","security":[["bearerAuth"]], responses: { "200": R16, "400": R2, "401": R3, "429": R4, "500": R2, "503": R5 } };
const O32: Operation<"sendMessage"> = { "id":"sendMessage","method":"POST","path":"/messages","security":[["bearerAuth"]],"parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "202": R6, "400": R2, "401": R3, "409": R5, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O33: Operation<"replayMessages"> = { "id":"replayMessages","method":"POST","path":"/messages/replays","security":[["bearerAuth"]],"parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "200": R30, "400": R2, "401": R3, "409": R5, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O34: Operation<"getMessage"> = { "id":"getMessage","method":"GET","path":"/messages/{messageId}","security":[["bearerAuth"]],"parameters":[["path","messageId"],["headers","If-None-Match"]], responses: { "200": R14, "304": R17, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O35: Operation<"getWebhook"> = { "id":"getWebhook","method":"GET","path":"/account/webhook","security":[["bearerAuth"]],"parameters":[["headers","If-None-Match"]], responses: { "200": R14, "304": R17, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O36: Operation<"setWebhook"> = { "id":"setWebhook","method":"PUT","path":"/account/webhook","security":[["bearerAuth"]],"parameters":[["headers","If-Match"],["headers","If-None-Match"]],"body":["application/json"], responses: { "200": R14, "400": R2, "401": R3, "412": R2, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O37: Operation<"deleteWebhook"> = { "id":"deleteWebhook","method":"DELETE","path":"/account/webhook","security":[["bearerAuth"]],"parameters":[["headers","If-Match"]], responses: { "204": R15, "400": R2, "401": R3, "404": R2, "412": R2, "429": R4, "500": R2, "503": R5 } };
const O38: Operation<"listKeys"> = { "id":"listKeys","method":"GET","path":"/account/keys","security":[["bearerAuth"]],"parameters":[["query","limit"],["query","cursor"]], responses: { "200": R1, "400": R2, "401": R3, "429": R4, "500": R2, "503": R5 } };
const O39: Operation<"createKey"> = { "id":"createKey","method":"POST","path":"/account/keys","security":[["bearerAuth"]],"parameters":[["headers","Idempotency-Key"]],"body":["application/json"], responses: { "201": R6, "400": R2, "401": R3, "409": R26, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O40: Operation<"rotateKey"> = { "id":"rotateKey","method":"POST","path":"/account/keys/{keyId}/rotation","security":[["bearerAuth"]],"parameters":[["path","keyId"],["headers","Idempotency-Key"]],"body":["application/json"], responses: { "201": R6, "400": R2, "401": R3, "403": R3, "404": R2, "409": R26, "413": R2, "429": R4, "500": R2, "503": R5 } };
const O41: Operation<"getKey"> = { "id":"getKey","method":"GET","path":"/account/keys/{keyId}","security":[["bearerAuth"]],"parameters":[["path","keyId"],["headers","If-None-Match"]], responses: { "200": R14, "304": R17, "400": R2, "401": R3, "404": R2, "429": R4, "500": R2, "503": R5 } };
const O42: Operation<"revokeKey"> = { "id":"revokeKey","method":"DELETE","path":"/account/keys/{keyId}","security":[["bearerAuth"]],"parameters":[["path","keyId"],["headers","If-Match"]], responses: { "204": R15, "400": R2, "401": R3, "403": R3, "404": R2, "409": R16, "412": R2, "429": R4, "500": R2, "503": R5 } };

const OPERATIONS: { readonly [Id in keyof Client]: Operation<Id> } = {
  "listPets": O1,
  "createPet": O2,
  "getPet": O3,
  "replacePet": O4,
  "deletePet": O5,
  "updatePet": O6,
  "listCategories": O7,
  "createCategory": O8,
  "getCategory": O9,
  "replaceCategory": O10,
  "deleteCategory": O11,
  "updateCategory": O12,
  "getStorePet": O13,
  "listPhotos": O14,
  "createPhoto": O15,
  "getPhoto": O16,
  "deletePhoto": O17,
  "listOrders": O18,
  "createOrder": O19,
  "getOrder": O20,
  "deleteOrder": O21,
  "updateOrder": O22,
  "listInventory": O23,
  "listenToInventory": O24,
  "getInventory": O25,
  "setInventory": O26,
  "createAccount": O27,
  "requestSignUp": O28,
  "confirmSignUp": O29,
  "getAccount": O30,
  "getRateLimit": O31,
  "sendMessage": O32,
  "replayMessages": O33,
  "getMessage": O34,
  "getWebhook": O35,
  "setWebhook": O36,
  "deleteWebhook": O37,
  "listKeys": O38,
  "createKey": O39,
  "rotateKey": O40,
  "getKey": O41,
  "revokeKey": O42,
};

/** How a client sends each of its operations. */
type BoundSend = (id: string) => { readonly send: Send; readonly entry: OperationEntry; readonly baseUrl: string };

const senders = new WeakMap<object, BoundSend>();

/** A client of one server. Creating one costs little and connects to nothing. */
export function createClient(options: ClientOptions<Credentials>): Client {
  return createPartialClient(options, OPERATIONS);
}

/**
 * A client of some operations: `createPartialClient(options, { OPERATION })`, each imported from this module. Bundlers drop the others.
 */
export function createPartialClient<Ops extends { readonly [Id in keyof Client]?: Operation<Id> }>(
  options: ClientOptions<Credentials>,
  operations: Ops,
): Pick<Client, keyof Ops & keyof Client> {
  const send = createSend(SCHEMES, options);
  const entries = operations as Readonly<Record<string, OperationEntry>>;
  const calls = Object.entries(entries).map(([id, entry]) => [id, (input?: AnyInput, call?: CallOptions) => send(entry, input, call)]);
  const client = Object.fromEntries(calls) as unknown as Pick<Client, keyof Ops & keyof Client>;
  senders.set(client, (id) => {
    const entry = entries[id];
    if (entry === undefined) throw new TypeError(`the client has no operation ${id}`);
    return { send, entry, baseUrl: baseOf(options) };
  });
  return client;
}

/** What an operation may be answered with that is no success. */
export type Failures = { readonly [Op in keyof Results]: Exclude<Results[Op], { readonly ok: true }> };

/** Whether an error is a declared failure of an operation: `if (isFailure(error, 'OPERATION') && error.reply.status === 409) ...`. */
export function isFailure<Op extends keyof Results>(error: unknown, operation: Op): error is ResponseError<Extract<Failures[Op], AnyReply>> {
  return error instanceof ResponseError && error.operation === operation;
}

/** The address of a request, without credentials: for `src` and `href`. */
export function urlOf<Op extends keyof Client>(client: Pick<Client, Op>, operation: Op, ...[input]: Parameters<Client[Op]>): string {
  const { entry, baseUrl } = senderOf(client, operation);
  return baseUrl + serializeParameters(entry, (input ?? {}) as AnyInput).path;
}

function senderOf(client: object, id: string): ReturnType<BoundSend> {
  const bound = senders.get(client);
  if (bound === undefined) throw new TypeError('not a client of createClient or createPartialClient');
  return bound(id);
}

/**
 * The pages of a list, each read when it is asked for: `for await (const { body } of paginate(client, 'OPERATION', input))`.
 *
 * @throws ResponseError for a page that is no success, TypeError where a page of another origin cannot read whether there is a next one.
 */
export function paginate<Op extends PagedOperation>(client: Pick<Client, Op>, operation: Op, ...args: Parameters<Client[Op]>): AsyncGenerator<Extract<Results[Op], { readonly ok: true }>> {
  const { send, entry } = senderOf(client, operation);
  const [input, call] = args as [AnyInput?, CallOptions?];
  return followPages(send, entry, input, call) as unknown as AsyncGenerator<Extract<Results[Op], { readonly ok: true }>>;
}

/** Whether there is a page after one, which may have been serialized. */
export const hasNextPage = ({ headers }: { readonly headers: object }): boolean => nextLink((headers as { readonly Link?: string }).Link ?? '') !== undefined;

/**
 * The page after one, `undefined` after the last one. The page may have been serialized: its `Link` is among its headers.
 *
 * @throws what `paginate` throws.
 */
export async function nextPage<Op extends PagedOperation>(client: Pick<Client, Op>, operation: Op, page: Pick<Results[Op], 'headers'>, call?: CallOptions): Promise<Extract<Results[Op], { readonly ok: true }> | undefined> {
  const { send, entry, baseUrl } = senderOf(client, operation);
  const address = nextAddress(page, (page as Partial<AnyReply>).response?.url ?? baseUrl);
  if (address === undefined) return undefined;
  return (await orThrow(send(entry, undefined, call, address))) as unknown as Extract<Results[Op], { readonly ok: true }>;
}

/** The operations whose pages are lists. */
export type ListOperation = { [Op in PagedOperation]: Extract<Results[Op], { readonly ok: true }>['body'] extends readonly unknown[] ? Op : never }[PagedOperation];

/** An item of a page of an operation. */
export type ItemOf<Op extends ListOperation> = Extract<Results[Op], { readonly ok: true }>['body'] extends readonly (infer Item)[] ? Item : never;

/**
 * The items of all pages, whose next one is read when its first item is asked for: `for await (const item of items(client, 'OPERATION', input))`.
 *
 * @throws what `paginate` throws.
 */
export function items<Op extends ListOperation>(client: Pick<Client, Op>, operation: Op, ...args: Parameters<Client[Op]>): AsyncGenerator<ItemOf<Op>> {
  const { send, entry } = senderOf(client, operation);
  const [input, call] = args as [AnyInput?, CallOptions?];
  return followItems(followPages(send, entry, input, call)) as AsyncGenerator<ItemOf<Op>>;
}

/**
 * The events of an operation: `for await (const event of listen(client, 'OPERATION', input, { signal }))`. Where they end, or the network fails, it
 * connects again after the time that the server has named, and goes on after the last event that had an id.
 *
 * @throws ResponseError for a response that is no success, and the reason of `signal`.
 */
export function listen<Op extends EventOperation>(client: Pick<Client, Op>, operation: Op, ...args: ArgumentsWith<ListenOptions, Parameters<Client[Op]>>): AsyncGenerator<EventsOf<Results[Op]>> {
  const { send, entry } = senderOf(client, operation);
  const [input, options] = args as [AnyInput?, ListenOptions?];
  return followEvents(send, entry, input, options) as unknown as AsyncGenerator<EventsOf<Results[Op]>>;
}

/** What the service sends: the payload of each webhook and callback. */
export interface WebhookPayloads {
  "messageCreated": Read<NonNullable<webhooks["messageCreated"]['post']['requestBody']>['content']["application/json"]>;
  "signUpRequested": Read<NonNullable<webhooks["signUpRequested"]['post']['requestBody']>['content']["application/json"]>;
}

const WEBHOOKS: Readonly<Record<keyof WebhookPayloads, WebhookEntry>> = {
  "messageCreated": {"tags":{"type":["message.created"]},"required":["type","timestamp","data"]},
  "signUpRequested": {"tags":{"type":["sign_up.requested"]},"required":["type","timestamp","data"]},
};

/**
 * Receives what the service sends: it verifies the signature, and calls the handler of the webhook, as the payload tells.
 *
 * const receiver = createWebhookReceiver({ secret, handlers: { WEBHOOK: async (payload, { id }) => { ... } } });
 * const response = await receiver(request);
 *
 * It takes the `Request` of fetch; for Node and Express there is `nodeWebhookHandler(receiver)`.
 */
export function createWebhookReceiver(options: WebhookReceiverOptions<WebhookPayloads>): WebhookReceiver<keyof WebhookPayloads> {
  return createReceiver(WEBHOOKS, options);
}

// ---- What a client is given, what it knows of an operation, and what a call results in.

export interface RetryOptions {
  /** How often a request is sent at the most; 3 by default. */
  readonly attempts?: number | undefined;
  /** If `Retry-After` asks for more, the response is returned at once; in milliseconds, 60,000 by default. */
  readonly maxDelayMs?: number | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Headers that the contract does not declare. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Off by default. Requests are sent again after 429, and after 503 and failures of the network if they can be repeated: GET, HEAD, QUERY,
   * PUT, DELETE, OPTIONS, and what has an `Idempotency-Key`, which the client makes and keeps where the contract declares one.
   */
  readonly retry?: boolean | RetryOptions | undefined;
  /**
   * How long an attempt may take until its response has been read, in milliseconds; 30,000 by default, `Infinity` for no end. It does not
   * bound the items of a response once they have begun, nor, unless the call says it, a body that is sent as a stream.
   */
  readonly timeoutMs?: number | undefined;
  /** Options of `fetch` that are not of the contract; `next` is that of Next.js. */
  readonly init?: RequestOptions | undefined;
}

export interface RequestOptions extends Pick<RequestInit, 'credentials' | 'keepalive' | 'mode'> {
  readonly cache?: 'default' | 'no-store' | 'reload' | 'no-cache' | 'force-cache' | 'only-if-cached';
  readonly next?: { readonly revalidate?: number | false; readonly tags?: string[] };
}

/** A request that is about to be sent; its headers may be changed. */
export interface SentRequest {
  /** Its operationId. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

/** Why a request is sent once more: its response, or the error of the network. */
export interface Retry {
  readonly operation: string;
  /** The attempt that has failed, from 1. */
  readonly attempt: number;
  /** Until the next one, in milliseconds. */
  readonly delayMs: number;
  readonly cause: unknown;
}

export interface ListenOptions extends CallOptions {
  /** Called with `open` when events can arrive, with `waiting` before each reconnection; `cause` is why it is needed, if it was an error. */
  readonly onState?: ((state: 'open' | 'waiting', cause?: unknown) => void) | undefined;
  /** After how long without a byte the server counts as gone, in milliseconds; 20,000 by default: servers send a comment every 15 s. */
  readonly idleMs?: number | undefined;
}

export interface ClientOptions<Credentials> extends Omit<CallOptions, 'signal'> {
  /** Where the server is, with the base path if it has one: `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** By security scheme. An operation without security gets none. */
  readonly credentials?: Partial<Credentials> | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** Called before each attempt. */
  readonly onRequest?: ((request: SentRequest) => void | Promise<void>) | undefined;
  /** Called before the wait for the next attempt. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Called for a 401. If it resolves to `true`, the request is sent once more, with the credentials that there are then. */
  readonly onUnauthorized?: ((operation: string) => boolean | Promise<boolean>) | undefined;
}

/** A key or token, or where to get the current one. */
export type Credential = string | (() => string | Promise<string>);

export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** Where a credential is sent. */
export interface Scheme {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix?: 'Basic ' | 'Bearer ';
}

export type ParameterLocation = 'path' | 'query' | 'headers' | 'cookies';

/** Style and explode if they are not the default ones (OpenAPI 3.0.3, section 4.7.12.1); `json` for `content`. */
export type Parameter = readonly [location: ParameterLocation, name: string, style?: string, explode?: boolean];

/** How the items of a body are written: lines, or records with a separator before each. */
export type SentSequence = 'lines' | 'records';

/** How a property of a form is written. */
export interface FormField {
  /** `json`, `text`, `deepObject` or a style of query parameters. */
  readonly style?: string;
  /** If it is not the default one. */
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Whether an empty text is null. */
  readonly isNullable?: boolean;
}

export interface OperationEntry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly security?: readonly (readonly string[])[];
  readonly parameters?: readonly Parameter[];
  /** Writes its query, if it is one value (`in: querystring`). */
  readonly query?: (value: unknown) => string[];
  /** Writes its cookies, if it has some. */
  readonly cookies?: (field: EncodedField, value: unknown) => string[];
  /** The media types of its body. */
  readonly body?: readonly string[];
  /** By media type of a form, the properties that are not written by their type alone. */
  readonly forms?: Readonly<Record<string, Readonly<Record<string, FormField>>>>;
  /** By property of a multipart body, the media type that the contract declares. */
  readonly parts?: Readonly<Record<string, string>>;
  /** The media types of its body that are sent item by item. */
  readonly sequences?: Readonly<Record<string, SentSequence>>;
  /** What writes its body, where it may be multipart, a form or a sequence: a bundle has it with the operations that need it. */
  readonly writeMultipart?: (body: object, types?: Readonly<Record<string, string>>) => Promise<WrittenBody & { type: string }>;
  readonly writeForm?: (body: object, fields?: Readonly<Record<string, FormField>>) => string;
  readonly writeItems?: (items: unknown, kind: SentSequence) => Promise<WrittenBody>;
  /** By status, range (`4XX`) or `default`. */
  readonly responses: Readonly<Record<string, ResponseEntry>>;
}

export interface ResponseEntry {
  readonly types?: readonly string[];
  /** Name -> `text`, `number`, `bigint`, `date`, `boolean`, `list` (of text), `numbers`, `bigints`, `dates` or `json`; `!` after it if it is required. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By media type, of a sequence: how its items are read. */
  readonly items?: Readonly<Record<string, ItemKind>>;
  readonly readItems?: (response: Response, kind: ItemKind, place?: () => Place) => unknown;
  /** By media type, where its integers are `bigint`, and its moments `Date`; of a sequence those of an item. */
  readonly places?: Readonly<Record<string, () => Place>>;
}

/** Items are events, the data of events, or lines of JSON; `text` if the data of events is no JSON. */
export type ItemKind = 'event' | 'event-text' | 'data' | 'data-text' | 'lines';

/** The places of a value whose integers are `bigint`, or whose moments are `Date`. */
export interface Place {
  readonly isBigInteger?: true;
  readonly isDateObject?: true;
  readonly properties?: Readonly<Record<string, () => Place>>;
  /** Of properties that are not named. */
  readonly additional?: () => Place;
  readonly items?: () => Place;
}

export interface AnyInput {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  readonly contentType?: string | undefined;
  readonly body?: unknown;
}

/** One response, narrowed by `status` or `ok`. */
export interface Reply<Status, Ok, Headers, ContentType, Body> {
  readonly status: Status;
  /** Its operationId. */
  readonly operation: string;
  /** Whether the status is 200 to 299. */
  readonly ok: Ok;
  /** Those that the contract declares, under its names, with the types it gives them. A required one that cannot be read throws when it is used. */
  readonly headers: Headers;
  readonly contentType: ContentType;
  readonly body: Body;
  /** Its body has been read. Not enumerable, so that a reply can be serialized. */
  readonly response: Response;
}

export type AnyReply = Reply<number, boolean, object, string | undefined, unknown>;

/** What a client may send: without what is `readOnly`. */
export type Written<T> = T extends { readonly $read: unknown }
  ? never
  : T extends { readonly $write: infer U }
    ? Written<U>
    : T extends readonly (infer E)[]
      ? Written<E>[]
      : T extends Date
        ? T
        : T extends object
          ? { [K in keyof T as NonNullable<T[K]> extends { readonly $read: unknown } ? never : K]: Written<T[K]> }
          : T;

/** What a server sends: without what is `writeOnly`. */
export type Read<T> = T extends { readonly $write: unknown }
  ? never
  : T extends { readonly $read: infer U }
    ? Read<U>
    : T extends readonly (infer E)[]
      ? Read<E>[]
      : T extends Date
        ? T
        : T extends object
          ? { [K in keyof T as NonNullable<T[K]> extends { readonly $write: unknown } ? never : K]: Read<T[K]> }
          : T;

/** The arguments of a method, with other options. */
export type ArgumentsWith<Options, Args extends readonly unknown[]> = Args extends readonly [infer Input, CallOptions?]
  ? [input: Input, options?: Options]
  : [input?: Args[0], options?: Options];

/** Optional properties may be given as `undefined`, also where `exactOptionalPropertyTypes` is on. */
export type Given<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

type JsonType = `${string}/json${string}` | `${string}+json${string}` | '*/*' | 'application/*';

/** Headers that are no parameters, whatever a contract says (OpenAPI 3.0.3, section 4.7.12.1). */
export type IgnoredHeader = 'Accept' | 'Content-Type' | 'Authorization';

/** What `fetch` is given. */
export interface WrittenBody {
  readonly body: Exclude<RequestInit['body'], undefined>;
  /** Whether it can be sent once only. */
  readonly isStream?: boolean;
  /** Called when no more of it is needed: `fetch` keeps on asking for a stream whose request was answered or aborted. */
  readonly end?: () => void;
}

/** A file whose bytes are made while they are sent. */
export interface StreamedFile {
  readonly stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
  readonly filename?: string | undefined;
  /** Its media type. */
  readonly type?: string | undefined;
}

/** A `File` has a name. */
export type SentFile = Blob | StreamedFile;

type SentFiles<F> = { [Name in keyof F]: NonNullable<F[Name]> extends readonly unknown[] ? readonly SentFile[] : SentFile };
type SentParts<T> = (T extends { readonly $fields: infer Fields }
  ? Fields extends Record<string, never>
    ? unknown
    : Written<Fields>
  : unknown) &
  (T extends { readonly $files: infer Files } ? SentFiles<Files> : unknown);

/** JSON values, items, forms and the parts of multipart as the contract describes them, else text, bytes or a `FormData`. */
export type SentBody<ContentType, T> = [T] extends [{ readonly $items: infer Item }]
  ? SentItems<ContentType, Written<Item>>
  : SentValue<ContentType, T>;

/** A list, or items that are asked for as they are sent; events are sent by servers alone. */
type SentItems<ContentType, Item> = ContentType extends `text/${string}` ? string : AsyncIterable<Item> | Iterable<Item>;

type SentValue<ContentType, T> = ContentType extends JsonType | `application/x-www-form-urlencoded${string}`
  ? Written<T>
  : ContentType extends `multipart/${string}`
    ? FormData | (T extends { readonly $fields: unknown } ? SentParts<T> : never)
    : string | Blob | ArrayBuffer | Uint8Array;

type ReceivedBody<ContentType, T> = T extends { readonly $items: infer Item }
  ? AsyncIterable<Read<Item>>
  : ContentType extends JsonType
    ? Read<T>
    : ContentType extends `text/${string}`
      ? string
      : Blob;

type HeadersOf<R, Optional> = R extends { headers: infer H }
  ? { readonly [N in keyof H as string extends N ? never : N extends Optional ? never : N]-?: NonNullable<H[N]> } & {
      readonly [N in keyof H as string extends N ? never : N extends Optional ? N : never]?: H[N] | undefined;
    }
  : object;

type ReplyOf<Status, Ok, R, Optional> = R extends { content: infer C }
  ? { [T in keyof C]: Reply<Status, Ok, HeadersOf<R, Optional>, T, ReceivedBody<T, C[T]>> }[keyof C]
  : Reply<Status, Ok, HeadersOf<R, Optional>, undefined, undefined>;

/** The events of the successes among results. */
export type EventsOf<R> = R extends {
  readonly ok: true;
  readonly contentType: `text/event-stream${string}`;
  readonly body: AsyncIterable<infer Item>;
}
  ? Item
  : never;

/** A declared response; `Optional` are the headers that may be absent. */
export type Success<Status, R, Optional = never> = ReplyOf<Status, true, R, Optional>;
export type Failure<Status, R, Optional = never> = ReplyOf<Status, false, R, Optional>;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** `4XX`: the statuses of a hundred, without those that the operation declares by themselves. */
export type Hundred<First extends number, Declared = never> = Exclude<
  `${First}${Digit}${Digit}` extends `${infer Status extends number}` ? Status : never,
  Declared
>;

/** `default`: any status but those that the operation declares by themselves. */
export type Other<Declared = never> = Exclude<Hundred<3> | Hundred<4> | Hundred<5>, Declared>;

// ---- Reads and writes JSON.

const parseJson: (text: string, place?: () => Place) => unknown = (text) => JSON.parse(text) as unknown;
/** Header fields are texts. */
const readMoments = (_: string, text: string): unknown => text;
const writeJson = (value: unknown): string => JSON.stringify(value);

// ---- Writes parameters in the styles of OpenAPI (3.0.3, section 4.7.12.2) and the fields of forms (3.1.1, section 4.8.15), as text that is read back as the same value.
// Generated clients contain this file: it imports nothing but the writer of JSON.

/** What is encoded, and how. The defaults are those of its location. */
export interface EncodedField {
  readonly name: string;
  /** `body`: a field of a form. */
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  /** A style of parameters, or `json`. */
  readonly style?: string | undefined;
  readonly explode?: boolean | undefined;
}

/** Whether a value is a list or an object. A `Date` is a text. */
const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null && !(value instanceof Date);

const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined && item !== null);

/** Values in lists and objects are JSON, which no style defines. */
function scalarText(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  const text = String(writeJson(value));
  return value instanceof Date ? text.slice(1, -1) : text;
}

/**
 * The text of a path, a header or a cookie: `a,b`, `R,100,G,200`, `R=100,G=200`; with `.` before it for label and `;name=` for matrix.
 *
 * @throws TypeError for a value that would be decoded to another one.
 */
function encodeText(field: EncodedField, value: unknown): string {
  const { name, in: location, style = location === 'cookie' ? 'form' : 'simple', explode = style === 'form' } = field;
  const fail = (problem: string): never => {
    throw new TypeError(`${location}/${name} ${problem}`);
  };
  const encode = location === 'header' ? String : encodeURIComponent;
  const finish = (text: string): string => {
    if (location === 'path' && /^\.{0,2}$/.test(text)) fail(`must not be "${text}"`);
    if (location === 'header' && /^\s|\s$|[^\t -~\x80-\xff]/.test(text)) fail('has characters that a header cannot have');
    return text;
  };
  if (style === 'json') return finish(encode(String(writeJson(value))));
  const prefix = style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : '';
  if (!isComposite(value)) return finish(prefix + encode(scalarText(value)));
  const ownDelimiter = { spaceDelimited: ' ', pipeDelimited: '|', label: explode ? '.' : ',', matrix: explode ? ';' : ',' }[style];
  const delimiter = ownDelimiter ?? ',';
  const isSplitLast = isSplitAfterDecoding(location, prefix, delimiter);
  const part = (item: unknown, isName = false): string => {
    const text = scalarText(item);
    const separators = isSplitLast ? [delimiter, style === 'label' ? '.' : delimiter, isName ? '=' : delimiter] : [];
    const problem = itemProblem(text, separators, location);
    if (problem !== undefined) fail(problem);
    return encode(text);
  };
  const isList = Array.isArray(value);
  const texts = isList
    ? (value as unknown[]).map((item) => part(item))
    : entriesOf(value).flatMap(([key, item]) => (explode ? [`${part(key, true)}=${part(item)}`] : [part(key), part(item)]));
  if (isList && texts[0] === '' && texts.length === 1 && style !== 'form') fail('must not be a list of one empty text');
  const isRepeated = style === 'matrix' && explode;
  return finish(
    (isRepeated && !isList ? ';' : prefix) + texts.join(isRepeated && isList ? prefix : delimiter.replace(/[ |]/, encodeURIComponent)),
  );
}

/** A header is not encoded. Labels and matrices are split after they have been decoded, and so are texts at spaces and bars. */
const isSplitAfterDecoding = (location: EncodedField['in'], prefix: string, delimiter: string): boolean =>
  location === 'header' || (location === 'path' && prefix !== '') || /[ |]/.test(delimiter);

function itemProblem(text: string, separators: readonly string[], location: EncodedField['in']): string | undefined {
  const found = separators.find((one) => text.includes(one));
  if (found !== undefined) return `must not have "${found}" in an item, which separates its items`;
  // They belong to the list (RFC 9110, section 5.6.1).
  if (location === 'header' && /^[\t ]|[\t ]$/.test(text)) return 'must not have blanks around an item';
  return undefined;
}

const pair = (key: string, item: unknown): string => `${encodeURIComponent(key)}=${encodeURIComponent(scalarText(item))}`;

/**
 * The pairs of a query. None for null, which has no text (RFC 6570, section 2.3), nor for what is empty.
 *
 * @throws TypeError for a value that would be decoded to another one.
 */
function encodePairs(field: EncodedField, value: unknown): string[] {
  const { name, style = 'form', explode = style === 'form' } = field;
  if (value === undefined || value === null) return [];
  if (style === 'json') return [pair(name, String(writeJson(value)))];
  if (style === 'deepObject') return bracketed(name, value);
  if (!isComposite(value)) return [pair(name, value)];
  if (!explode)
    return Object.keys(value).length === 0 ? [] : [`${encodeURIComponent(name)}=${encodeText({ ...field, style, explode }, value)}`];
  const parts: [string, unknown][] = Array.isArray(value) ? [[name, value]] : entriesOf(value);
  return parts.flatMap(([key, part]) => (Array.isArray(part) ? (part as unknown[]) : [part]).map((item) => pair(key, item)));
}

/** `filter[name]=a&filter[tags][0][id]=b`. */
function bracketed(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => bracketed(isComposite(item) ? `${name}[${i}]` : name, item));
  if (!isComposite(value)) return [pair(name, value)];
  return Object.entries(value).flatMap(([key, item]) => {
    if (/^$|[[\]]/.test(key)) throw new TypeError(`${name} must not have the property "${key}", which brackets cannot name`);
    return bracketed(`${name}[${key}]`, item);
  });
}

// ---- Writes parameters in the styles of OpenAPI 3.0.3, section 4.7.12.2.

export interface SerializedParameters {
  /** The path with its parameters, and the query. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly cookies: readonly string[];
}

/** Groups of an input, and the locations of their parameters. */
const LOCATIONS = { path: 'path', query: 'query', headers: 'header', cookies: 'cookie' } as const;

/** @throws TypeError for a value that would be read as another one, and for a path parameter that is missing. */
function serializeParameters(
  { id, path, parameters = [], query: write, cookies }: OperationEntry,
  input: AnyInput,
): SerializedParameters {
  const given = (location: ParameterLocation) =>
    parameters.flatMap(([group, name, style, explode]): [EncodedField, unknown][] => {
      const value = group === location ? (input[location] as Record<string, unknown> | undefined)?.[name] : undefined;
      return value === undefined || value === null ? [] : [[{ name, in: LOCATIONS[location], style, explode }, value]];
    });
  let [filled = ''] = path.split('#', 1);
  for (const [field, value] of given('path')) {
    const text = encodeText(field, value);
    filled = filled.replaceAll(`{${field.name}}`, () => text);
  }
  const missing = parameters.find(([location, name]) => location === 'path' && filled.includes(`{${name}}`));
  if (missing !== undefined) throw new TypeError(`${id}: the path parameter ${missing[1]} is missing`);
  const query = write?.(input.query) ?? given('query').flatMap(([field, value]) => encodePairs(field, value));
  return {
    path: query.length === 0 ? filled : `${filled}${filled.includes('?') ? '&' : '?'}${query.join('&')}`,
    headers: given('headers').map(([field, value]) => [field.name, encodeText(field, value)]),
    cookies: given('cookies').flatMap(([field, value]) => cookies?.(field, value) ?? []),
  };
}

// ---- Sends a body while it is made, where that is possible.

/** A stream where `fetch` sends one (Node, browsers with HTTP/2); elsewhere all of it at once. */
async function streamBody(chunks: AsyncGenerator<Uint8Array>): Promise<WrittenBody> {
  if (!sendsStreams()) {
    const all: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of chunks) all.push(chunk as Uint8Array<ArrayBuffer>);
    return { body: new Blob(all) };
  }
  let hasEnded = false;
  const finish = async (): Promise<void> => {
    await chunks.return(undefined);
  };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (hasEnded) return controller.error(new Error('the request has ended before all of its body was sent'));
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: finish,
  });
  const end = (): void => {
    hasEnded = true;
    void finish().catch(() => undefined);
  };
  return { body: stream, isStream: true, end };
}

/** What does not send a stream takes it for a text, which has a Content-Type. In browsers it needs HTTP/2, which plain http never is. */
function sendsStreams(): boolean {
  const { location } = globalThis as { location?: { protocol: string } };
  if (location?.protocol === 'http:') return false;
  const asked: string[] = [];
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      asked.push('duplex');
      return 'half' as const;
    },
  };
  const { headers } = new Request('http://localhost', init);
  return asked.length > 0 && !headers.has('Content-Type');
}

// ---- Writes the parts of multipart/form-data that are no files (OpenAPI 3.0.3, section 4.7.14.4).

/** A part of multipart/form-data: its text, and its Content-Type, if it needs one. @param type the one that the contract declares. */
function encodePart(value: unknown, type?: string): { readonly text: string; readonly type: string | undefined } {
  const isJson = isComposite(value) || (type !== undefined && /[/+]json\s*(;|$)/i.test(type));
  return { text: isJson ? String(writeJson(value)) : scalarText(value), type: type ?? (isJson ? 'application/json' : undefined) };
}

// ---- Writes bodies of multipart/form-data: fields, and files from a `Blob`, a `File` or a stream (RFC 7578).

interface Part {
  readonly head: string;
  readonly content: string | Blob | AsyncIterable<Uint8Array>;
}

/**
 * Fields come before files, which a server may hand on while they arrive.
 *
 * @param types the media types of properties that the contract declares some for. @returns the body, and its Content-Type.
 */
async function writeMultipart(body: object, types: Readonly<Record<string, string>> = {}): Promise<WrittenBody & { type: string }> {
  const parts = Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((item) =>
      toPart(name, item, Object.hasOwn(types, name) ? types[name] : undefined),
    ),
  );
  const ordered = [
    ...parts.filter(({ content }) => typeof content === 'string'),
    ...parts.filter(({ content }) => typeof content !== 'string'),
  ];
  // Neither the boundary nor anything like it is in a file by chance.
  const boundary = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const type = `multipart/form-data; boundary=${boundary}`;
  const end = `--${boundary}--\r\n`;
  if (ordered.every(({ content }) => typeof content === 'string' || content instanceof Blob)) {
    // A Blob of files does not read them.
    const pieces = ordered.flatMap(({ head, content }) => [`--${boundary}\r\n${head}\r\n\r\n`, content as string | Blob, '\r\n']);
    return { body: new Blob([...pieces, end]), type };
  }
  return { ...(await streamBody(pieces(ordered, boundary, end))), type };
}

async function* pieces(parts: readonly Part[], boundary: string, end: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const { head, content } of parts) {
    yield encoder.encode(`--${boundary}\r\n${head}\r\n\r\n`);
    if (typeof content === 'string') yield encoder.encode(content);
    else yield* content instanceof Blob ? chunksOf(content.stream()) : content;
    yield encoder.encode('\r\n');
  }
  yield encoder.encode(end);
}

function toPart(name: string, value: unknown, type: string | undefined): Part[] {
  if (value === undefined || value === null) return [];
  const disposition = `Content-Disposition: form-data; name="${escape(name)}"`;
  if (value instanceof Blob) {
    const filename = 'name' in value && typeof value.name === 'string' ? value.name : 'blob';
    return [filePart(disposition, filename, value.type || type, value)];
  }
  if (isStreamed(value)) return [filePart(disposition, value.filename ?? 'blob', value.type ?? type, chunksOf(value.stream))];
  const part = encodePart(value, type);
  return [{ head: part.type === undefined ? disposition : `${disposition}\r\nContent-Type: ${part.type}`, content: part.text }];
}

const filePart = (disposition: string, filename: string, type: string | undefined, content: Part['content']): Part => ({
  head: `${disposition}; filename="${escape(filename)}"\r\nContent-Type: ${type ?? 'application/octet-stream'}`,
  content,
});

const isStreamed = (value: unknown): value is StreamedFile =>
  typeof value === 'object' && value !== null && 'stream' in value && isIterable(value.stream);
const isIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || 'getReader' in value);

/** As browsers write names (HTML, section 4.10.21.8). */
const escape = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Some browsers cannot iterate over a stream. */
async function* chunksOf(stream: StreamedFile['stream']): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in stream) {
    yield* stream as AsyncIterable<Uint8Array>;
    return;
  }
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

// ---- Sends a request again when the server asks for it by `Retry-After`, if it can be repeated.

/** Methods that can be repeated (RFC 9110, section 9.2.2; RFC 10008, section 2); `fetch` sends no TRACE. */
const IDEMPOTENT = /^(GET|HEAD|PUT|DELETE|OPTIONS|QUERY)$/;

/** Whether a request may be sent twice: it is idempotent, or has a key that makes it so. */
const isRepeatable = (method: string, headers: Headers): boolean => IDEMPOTENT.test(method) || headers.has('Idempotency-Key');

/** @param send sends the request once. @param read reads its response. @throws what they throw, and the reason of `signal`. */
async function sendWithRetries<T>(
  send: () => Promise<Response>,
  read: (response: Response) => Promise<T>,
  repeatable: boolean,
  retry: CallOptions['retry'],
  signal: AbortSignal | undefined,
  onRetry: (retry: Omit<Retry, 'operation'>) => void,
): Promise<T> {
  const { attempts = 3, maxDelayMs = 60_000 }: RetryOptions = typeof retry === 'object' ? retry : retry === true ? {} : { attempts: 1 };
  for (let attempt = 1; ; attempt++) {
    // Without Retry-After: half a second, then twice as long each time.
    let delay = 500 * 2 ** (attempt - 1);
    let cause: unknown;
    let isRead = false;
    try {
      const response = await send();
      isRead = true;
      // A request that was answered 429 has not been done (RFC 6585, section 4); after 503 that is not known.
      if (attempt >= attempts || !(response.status === 429 || (response.status === 503 && repeatable))) return await read(response);
      delay = retryAfter(response) ?? delay;
      if (delay > maxDelayMs) return await read(response);
      await response.body?.cancel();
      cause = response;
    } catch (error) {
      if (attempt >= attempts || !repeatable || signal?.aborted === true || (isRead && !(error instanceof NetworkError))) throw error;
      cause = error;
    }
    // Later rather than earlier: clients that were refused together do not come back together.
    const delayMs = delay + Math.random() * Math.min(1000, delay * 0.1 + 50);
    onRetry({ attempt, delayMs, cause });
    await sleep(delayMs, signal);
  }
}

/** In milliseconds; `undefined` if there is none (RFC 9110, section 10.2.3). */
function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('Retry-After');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the caller has given as the reason, as fetch does
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

// ---- Bounds the time of a request, attempt by attempt.

export interface Deadline {
  /** Aborted when the time is up, or with the signal of the call. */
  readonly signal: AbortSignal | undefined;
  /** Of a new attempt. */
  readonly start: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** The longest time of a timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @param timeoutMs no end if it is longer than a timer can be, which `Infinity` is. */
function createDeadline({ id, method, path }: OperationEntry, timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  if (timeoutMs > MAX_TIMER_MS) return { signal, start: () => undefined, pause: () => undefined, resume: () => undefined };
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endsAt = 0;
  const stop = () =>
    controller.abort(new DOMException(`${id}: no response to ${method} ${path} within ${timeoutMs} ms (timeoutMs)`, 'TimeoutError'));
  const resume = () => {
    timer = setTimeout(stop, endsAt - Date.now());
  };
  return {
    // Both sources are kept by the call that waits. A listener on the signal of the caller would be one for each of its calls.
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    start: () => {
      endsAt = Date.now() + timeoutMs;
      resume();
    },
    pause: () => clearTimeout(timer),
    resume,
  };
}

// ---- Reads the items of a sequence as they come.

/** An event as it was sent (WHATWG HTML, section 9.2.6). */
interface SentEvent {
  readonly id?: string;
  readonly event?: string;
  readonly retry?: number;
  readonly data: string;
}

/** @throws Error for an event `error` that is no item, SyntaxError for what is not JSON. */
async function* readItems(response: Response, kind: ItemKind, place?: () => Place): AsyncGenerator {
  if (kind === 'lines') {
    // Of a JSON text sequence each begins with a record separator (RFC 7464).
    for await (const line of readLines(response)) if (/[^\s\x1E]/.test(line)) yield parseJson(line.replace('\x1E', ''), place);
  } else for await (const event of readEvents(response)) if (event.data !== '') yield toItem(event, kind, place);
}

function toItem(event: SentEvent, kind: ItemKind, place?: () => Place): unknown {
  const dataPlace = kind.startsWith('event') ? place?.().properties?.['data'] : place;
  const data = kind.endsWith('text') ? event.data : parseJson(event.data, dataPlace);
  if (kind.startsWith('event')) return { ...event, data };
  if (event.event === 'error') throw new Error(`the server has ended the stream: ${event.data.slice(0, 200)}`);
  return data;
}

/** @param idleMs after how long without a byte it fails. */
async function* readEvents(response: Response, idleMs = Infinity): AsyncGenerator<SentEvent> {
  let fields: Record<string, string> = {};
  let data: string[] = [];
  for await (const line of readLines(response, idleMs)) {
    if (line === '') {
      const { id, event, retry } = fields;
      const isRetry = retry !== undefined && /^\d+$/.test(retry);
      if (data.length > 0 || isRetry)
        yield {
          ...(id !== undefined && { id }),
          ...(event !== undefined && { event }),
          ...(isRetry && { retry: Number(retry) }),
          data: data.join('\n'),
        };
      [fields, data] = [{}, []];
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name !== '') fields[name] = value;
  }
}

/** A stream is closed when its reader is left. */
async function* readLines({ body }: Response, idleMs = Infinity): AsyncGenerator<string> {
  if (body === null) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await withIdleBound(reader, idleMs);
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line break.
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?=[^\n])/);
      rest = lines.pop() ?? '';
      yield* lines;
      if (!done) continue;
      if (rest !== '') yield rest;
      return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @throws Error after `idleMs` without a byte. */
async function withIdleBound(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  idleMs: number,
): ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> {
  if (idleMs === Infinity) return reader.read();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no byte from the server within ${String(idleMs)} ms (idleMs)`)), idleMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

// ---- Reads a response as the contract declares it, and makes errors of what it does not.

/** The response is not one of the contract: another status, media type or text that is not JSON, such as a proxy's. */
export class UnexpectedResponseError extends Error {
  declare readonly response: Response;
  declare readonly status: number;
  /** The operationId of the request. */
  declare readonly operation: string;
  /** The body as text. */
  declare readonly text: string;
  constructor(operation: string, response: Response, text: string, reason: string) {
    super(`${operation}: ${String(response.status)} from ${address(response)} ${reason}${quote(text)}`);
    define(this, { name: 'UnexpectedResponseError', response, status: response.status, operation, text });
  }
}

/** No response: the server cannot be reached, or has ended the connection. `cause` is the error of `fetch`. */
export class NetworkError extends Error {
  /** The operationId of the request. */
  declare readonly operation: string;
  /** Without the query. */
  declare readonly address: string;
  constructor(operation: string, url: string, cause: unknown) {
    const target = address({ url });
    const reason = (cause as { cause?: unknown } | undefined)?.cause ?? cause;
    super(`${operation}: no response from ${target}: ${reason instanceof Error ? reason.message : String(reason)}`, { cause });
    define(this, { name: 'NetworkError', operation, address: target });
  }
}

/** A declared response that is no success, thrown by `orThrow` and `paginate`. */
export class ResponseError<R extends AnyReply = AnyReply> extends Error {
  declare readonly reply: R;
  declare readonly status: R['status'];
  /** The operationId of the request. */
  declare readonly operation: string;
  declare readonly body: R['body'];
  constructor(reply: R) {
    const { status, operation, body } = reply;
    super(`${operation}: ${String(status)} from ${address(reply.response)}${quote(describe(body))}`);
    define(this, { name: 'ResponseError', reply, status, operation, body });
  }
}

/** Not enumerable: what prints an error would print the whole response after it. */
function define(error: Error, values: object): void {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(error, name, { value });
}

/** Code and message of a body that has them, as the top level or under `error`; else its JSON. */
function describe(body: unknown): string {
  if (body === undefined) return '';
  const { error = body } = (body ?? {}) as { error?: unknown };
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const texts = [code, message].filter((text) => typeof text === 'string');
  return texts.length > 0 ? texts.join(': ') : writeJson(body);
}

/** Without the query, which may hold a key. */
const address = ({ url }: Pick<Response, 'url'>): string => url.replace(/[?#].*$/s, '');
const quote = (text: string): string => (text === '' ? '' : `: ${text.slice(0, 200).replace(/\s+/g, ' ')}`);

/** The reply if it is a success. @throws ResponseError if it is not. */
export async function orThrow<R extends { readonly ok: boolean }>(reply: R | Promise<R>): Promise<Extract<R, { readonly ok: true }>> {
  const { ok } = await reply;
  if (ok) return (await reply) as Extract<R, { readonly ok: true }>;
  throw new ResponseError((await reply) as unknown as AnyReply);
}

/**
 * The problems of a request by the fields of its body, as forms need them: `{ 'lines.0.pet': ['is required'] }`.
 *
 * @param problems the list in the body of an error; `pointer` is a JSON Pointer (RFC 6901), or one as a fragment (RFC 9457, section 3)
 */
export function problemsByField(
  problems: readonly { readonly location?: string; readonly pointer: string; readonly message: string }[] = [],
): Record<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { location = 'body', pointer, message } of problems) {
    if (location !== 'body') continue;
    const keys = (pointer.startsWith('#') ? decodeURIComponent(pointer.slice(1)) : pointer).split('/').slice(1);
    const field = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
    fields.set(field, [...(fields.get(field) ?? []), message]);
  }
  return Object.fromEntries(fields);
}

/** What the contract declares of a response. */
function declaredOf({ responses }: OperationEntry, { status, ok }: Response): ResponseEntry | undefined {
  // Where successes are declared, `default` is what the other responses are like.
  const hasDefault = !ok || !Object.keys(responses).some((key) => key.startsWith('2'));
  return responses[status] ?? responses[`${String(status)[0] ?? ''}XX`] ?? (hasDefault ? responses['default'] : undefined);
}

/** @throws UnexpectedResponseError */
async function readReply(entry: OperationEntry, response: Response): Promise<AnyReply> {
  const { id: operation, method } = entry;
  const { status, ok } = response;
  const declared = declaredOf(entry, response);
  if (declared === undefined) throw new UnexpectedResponseError(operation, response, await response.text(), 'is not declared');
  const headers = readHeaders(operation, declared, response);
  const hasBody = declared.types !== undefined && method !== 'HEAD' && status !== 204 && status !== 304;
  const content = hasBody ? await readBody(operation, declared, response) : { contentType: undefined, body: undefined };
  if (!hasBody) await response.body?.cancel();
  const reply = { status, operation, ok, headers, ...content };
  return Object.defineProperty(reply, 'response', { value: response }) as AnyReply;
}

const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();
const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** Of several declared types the one that was sent, a type before a range. */
async function readBody(
  operation: string,
  { types = [], items, readItems, places }: ResponseEntry,
  response: Response,
): Promise<{ contentType: string; body: unknown }> {
  const sent = essence(response.headers.get('Content-Type') ?? types[0] ?? '');
  const contentType = [sent, `${sent.split('/')[0] ?? ''}/*`, '*/*']
    .map((candidate) => types.find((type) => essence(type) === candidate))
    .find((type) => type !== undefined);
  if (contentType === undefined)
    throw new UnexpectedResponseError(operation, response, await response.text(), `is ${sent}, not ${types.join(', ')}`);
  const kind = items?.[contentType];
  if (kind !== undefined && readItems !== undefined) return { contentType, body: readItems(response, kind, places?.[contentType]) };
  if (!isJson(sent)) return { contentType, body: sent.startsWith('text/') ? await response.text() : await response.blob() };
  const text = await response.text();
  try {
    return { contentType, body: parseJson(text, places?.[contentType]) };
  } catch (error) {
    throw new UnexpectedResponseError(operation, response, text, (error as { reason?: string }).reason ?? 'is not JSON');
  }
}

/** A required header that is not there throws when it is used: most callers need the body alone. */
function readHeaders(operation: string, { headers = {} }: ResponseEntry, response: Response): object {
  const read: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(headers)) {
    const text = response.headers.get(name);
    if (text !== null) read[name] = readHeader(type.replace('!', ''), text);
    else if (type.endsWith('!'))
      Object.defineProperty(read, name, {
        get: () => {
          throw new TypeError(`${operation}: the response has no header ${name}${response.type === 'cors' ? unexposed(name) : ''}`);
        },
      });
  }
  return read;
}

/** What to do about a header that a page of another origin cannot read. */
const unexposed = (name: string): string =>
  ` that this page may read: name its origin in CORS_ORIGINS, or send Access-Control-Expose-Headers: ${name}, Access-Control-Expose-Headers`;

function readHeader(type: string, text: string): unknown {
  if (type === 'number') return Number(text);
  if (type === 'bigint') return BigInt(text);
  if (type === 'boolean') return text === 'true';
  const items = () => (text === '' ? [] : text.split(',').map((item) => item.trim()));
  if (type === 'list') return items();
  if (type === 'numbers') return items().map(Number);
  if (type === 'bigints') return items().map(BigInt);
  return type === 'json' ? (JSON.parse(text) as unknown) : readMoments(type, text);
}

// ---- Sends the requests of a client: address, parameters, credentials, body.

/** @param url instead of the operation's, with its query. */
export type Send = (operation: OperationEntry, input?: AnyInput, call?: CallOptions, url?: string) => Promise<AnyReply>;

type CredentialsByScheme = Readonly<Record<string, Credential | BasicCredential | undefined>>;

/** Where the server is, without slashes at the end. */
function baseOf({ baseUrl }: Pick<ClientOptions<object>, 'baseUrl'>): string {
  let base = baseUrl;
  while (base.endsWith('/')) base = base.slice(0, -1);
  return base;
}

function createSend(schemes: Readonly<Record<string, Scheme>>, options: ClientOptions<object>): Send {
  const base = baseOf(options);
  const credentials = (options.credentials ?? {}) as CredentialsByScheme;
  return async (operation, input = {}, call = {}, url) => {
    const { id, method } = operation;
    const parameters = serializeParameters(operation, input);
    const headers = new Headers({ Accept: acceptedTypes(operation), ...options.headers, ...call.headers });
    for (const [name, value] of parameters.headers) headers.set(name, value);
    /** Sets the credentials that there are now. @returns the address, which has some of them. */
    const authorize = async (): Promise<string> => {
      const cookies = [...parameters.cookies];
      const query: string[] = [];
      for (const { scheme, value } of await credentialsOf(operation, schemes, credentials)) {
        if (scheme.in === 'header') headers.set(scheme.name, value);
        else (scheme.in === 'query' ? query : cookies).push(`${encodeURIComponent(scheme.name)}=${encodeURIComponent(value)}`);
      }
      if (cookies.length > 0) headers.set('Cookie', cookies.join('; '));
      return [url ?? base + parameters.path, ...query].reduce((all, part) =>
        all.includes(part) ? all : `${all}${all.includes('?') ? '&' : '?'}${part}`,
      );
    };
    let target = await authorize();
    const { location } = globalThis as { location?: { href: string } };
    if (!URL.canParse(target, location?.href))
      throw new TypeError(`${id}: ${base} is no address: baseUrl must begin with https:// or http://`);
    const { body, isStream = false, end } = await writeBody(operation, input, headers);
    // What was sent of a stream cannot be sent again.
    const retry = isStream ? false : (call.retry ?? options.retry ?? false);
    const takesKey = operation.parameters?.some(([location, name]) => location === 'headers' && /^idempotency-key$/i.test(name)) === true;
    // The same one for each attempt.
    if (retry !== false && takesKey && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', newKey());
    const deadline = createDeadline(operation, call.timeoutMs ?? (isStream ? Infinity : (options.timeoutMs ?? TIMEOUT_MS)), call.signal);
    const { signal } = deadline;
    // A declared redirect is a response like others, and no other is followed: it would take the key to another place.
    const init: RequestInit = {
      ...options.init,
      ...call.init,
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(isStream && { duplex: 'half' }),
      ...(signal && { signal }),
    };
    /** What `fetch` and the readers of a body throw where the connection fails. */
    const networkErrorOf = (error: unknown): unknown =>
      error instanceof TypeError && signal?.aborted !== true ? new NetworkError(id, target, error) : error;
    const send = async () => {
      deadline.start();
      try {
        await options.onRequest?.({ operation: id, method, url: target, headers });
        return await (options.fetch ?? fetch)(target, init);
      } catch (error) {
        throw networkErrorOf(error);
      } finally {
        // The wait for the next attempt does not count.
        deadline.pause();
      }
    };
    let isRenewed = false;
    /** @returns `undefined` if the request is to be sent with other credentials. */
    const read = async (response: Response): Promise<AnyReply | undefined> => {
      if (response.status === 401 && !isStream && !isRenewed && (await options.onUnauthorized?.(id)) === true) {
        isRenewed = true;
        await response.body?.cancel();
        target = await authorize();
        return undefined;
      }
      deadline.resume();
      try {
        return await readReply(operation, response);
      } catch (error) {
        throw networkErrorOf(error);
      } finally {
        deadline.pause();
      }
    };
    let isAnswering = false;
    try {
      const onRetry = (failed: Omit<Retry, 'operation'>) => options.onRetry?.({ operation: id, ...failed });
      const sendAll = () => sendWithRetries(send, read, isRepeatable(method, headers), retry, signal, onRetry);
      let reply: AnyReply | undefined;
      // Once more at the most: with other credentials.
      while (reply === undefined) reply = await sendAll();
      // A server that answers with items may still read the body of the request.
      isAnswering = typeof reply.body === 'object' && reply.body !== null && Symbol.asyncIterator in reply.body;
      return reply;
    } finally {
      if (!isAnswering) end?.();
    }
  };
}

const TIMEOUT_MS = 30_000;

/** 128 random bits; `crypto.randomUUID` is missing at plain http. */
const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The types of all responses, as the contract names them. */
const acceptedTypes = ({ responses }: OperationEntry): string =>
  [...new Set(Object.values(responses).flatMap(({ types = [] }) => types))].join(', ') || '*/*';

/** Those of the first alternative for which all are there; none if there is no such alternative, which the server answers. */
async function credentialsOf(
  { security = [] }: OperationEntry,
  schemes: Readonly<Record<string, Scheme>>,
  credentials: CredentialsByScheme,
): Promise<{ scheme: Scheme; value: string }[]> {
  const names = security.find((all) => all.length > 0 && all.every((name) => credentials[name] !== undefined)) ?? [];
  return Promise.all(
    names.map(async (name) => {
      const scheme = schemes[name];
      const credential = credentials[name];
      if (scheme === undefined || credential === undefined) throw new Error(`${name} cannot be sent by this client`);
      return { scheme, value: (scheme.prefix ?? '') + (await textOf(credential)) };
    }),
  );
}

async function textOf(credential: Credential | BasicCredential): Promise<string> {
  if (typeof credential === 'function') return credential();
  if (typeof credential === 'string') return credential;
  // In UTF-8 (RFC 7617, section 2.1), which btoa does not know.
  const bytes = new TextEncoder().encode(`${credential.username}:${credential.password}`);
  return btoa(String.fromCharCode(...bytes));
}

async function writeBody(
  { body: types = [], forms, parts, sequences, writeMultipart, writeForm, writeItems }: OperationEntry,
  input: AnyInput,
  headers: Headers,
): Promise<Partial<WrittenBody>> {
  const { body, contentType = types[0] } = input;
  if (body === undefined || contentType === undefined) return {};
  const isJson = /[/+]json\s*(;|$)/.test(contentType) || contentType === '*/*' || contentType === 'application/*';
  if (
    writeMultipart &&
    /^multipart\/form-data/i.test(contentType) &&
    typeof body === 'object' &&
    body !== null &&
    !(body instanceof FormData)
  ) {
    const { type, ...written } = await writeMultipart(body, parts);
    headers.set('Content-Type', type);
    return written;
  }
  // The boundary of a FormData is fetch's to write.
  if (!(body instanceof FormData) && !headers.has('Content-Type'))
    headers.set('Content-Type', contentType.includes('*') ? (isJson ? 'application/json' : 'application/octet-stream') : contentType);
  const sequence = sequences?.[contentType];
  if (writeItems && sequence !== undefined) return writeItems(body, sequence);
  if (isJson) return { body: writeJson(body) };
  if (writeForm && /^application\/x-www-form-urlencoded/i.test(contentType) && typeof body === 'object' && body !== null)
    return { body: writeForm(body, forms?.[contentType]) };
  return { body: body as WrittenBody['body'] };
}

// ---- Follows the pages of a list, which `Link: <...>; rel="next"` connects (RFC 8288).

/**
 * @throws ResponseError for a page that is no success, Error if a link leads to another server, which would get the credentials, TypeError
 * if a browser may have hidden the link.
 */
async function* followPages(
  send: Send,
  operation: OperationEntry,
  input: AnyInput | undefined,
  call: CallOptions | undefined,
): AsyncGenerator<AnyReply> {
  let isReadable = false;
  for (let url: string | undefined; ;) {
    const reply: AnyReply = await orThrow(send(operation, input, call, url));
    yield reply;
    // What could be read on one page can be read on the others.
    isReadable ||= reply.response.headers.has('Link') || isLinkReadable(operation, reply.response);
    if (!isReadable) throw new TypeError(`${operation.id}: the response has no Link${unexposed('Link')}`);
    url = nextAddress(reply, reply.response.url);
    if (url === undefined) return;
  }
}

/**
 * The address of the page after one, `undefined` for the last one.
 *
 * @param here the address of the page, or of its server. @throws Error if a link leads to another server, which would get the credentials.
 */
function nextAddress({ headers }: Pick<AnyReply, 'headers'>, here: string): string | undefined {
  const link = nextLink((headers as { Link?: string }).Link ?? '');
  if (link === undefined) return undefined;
  const next = new URL(link, here);
  const { origin } = new URL(here);
  if (next.origin !== origin) throw new Error(`the next page is at ${next.origin}, which is not the server's`);
  return next.href;
}

/** @throws what `followPages` throws, TypeError if a page is no list. */
async function* followItems(pages: AsyncGenerator<AnyReply>): AsyncGenerator {
  for await (const { operation, body } of pages) {
    if (!Array.isArray(body)) throw new TypeError(`${operation}: the body is no list: use paginate`);
    yield* body as unknown[];
  }
}

/** What every page may read (Fetch, "CORS-safelisted response-header name"). */
const SAFELISTED = /^(cache-control|content-(language|length|type)|expires|last-modified|pragma)$/i;

/**
 * Whether a `Link` that is not there was not sent. Browsers hide headers from pages of other origins unless the server exposes them, in a
 * header that is hidden too unless it names itself. Else the headers that the contract requires beside `Link` tell, and `X-Request-Id` where
 * it requires none: servers of the contract expose all of them or none.
 */
function isLinkReadable(operation: OperationEntry, response: Response): boolean {
  const { headers, type } = response;
  if (type !== 'cors') return true;
  const exposed = headers.get('Access-Control-Expose-Headers');
  if (exposed !== null) return /(^|[\s,])(link|\*)([\s,]|$)/i.test(exposed);
  const required = Object.entries(declaredOf(operation, response)?.headers ?? {}).flatMap(([name, kind]) =>
    kind.endsWith('!') && !SAFELISTED.test(name) ? [name] : [],
  );
  return (required.length > 0 ? required : ['X-Request-Id']).every((name) => headers.has(name));
}

function nextLink(header: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, token] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token ?? '').toLowerCase().split(' ').includes('next')) return target;
  }
  return undefined;
}

// ---- Follows the events of an operation, and connects again where they have ended.

const RECONNECT_MS = 3000;
/** Servers send a comment every 15 s (WHATWG HTML, section 9.2.7). */
const IDLE_MS = 20_000;

/** @throws ResponseError for a response that is no success, and the reason of `signal`. */
async function* followEvents(
  send: Send,
  operation: OperationEntry,
  input: AnyInput = {},
  options: ListenOptions = {},
): AsyncGenerator {
  const { onState, idleMs = IDLE_MS, ...call } = options;
  const [type, kind = 'data', place] =
    Object.values(operation.responses)
      .flatMap(({ items = {}, places = {} }) => Object.entries(items).map(([name, one]) => [name, one, places[name]] as const))
      .find(([name]) => name.startsWith('text/event-stream')) ?? [];
  let lastId: string | undefined;
  let delay = RECONNECT_MS;
  for (;;) {
    let cause: unknown;
    try {
      const headers = { ...call.headers, Accept: type ?? 'text/event-stream', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
      const { response }: AnyReply = await orThrow(send(operation, input, { retry: true, ...call, headers }));
      // Whoever wants no more events says so with this status.
      if (response.status === 204) return;
      onState?.('open');
      for await (const event of readEvents(response, idleMs)) {
        lastId = event.id ?? lastId;
        delay = event.retry ?? delay;
        if (event.data !== '' && (event.event !== 'error' || kind.startsWith('event'))) yield toItem(event, kind, place);
      }
    } catch (error) {
      if (call.signal?.aborted === true || error instanceof ResponseError || error instanceof UnexpectedResponseError) throw error;
      cause = error;
    }
    onState?.('waiting', cause);
    await sleep(delay, call.signal);
  }
}

// ---- Receives webhooks: verifies the signatures of Standard Webhooks, and gives each payload to the handler of its name.

/** What is known of a delivery beside its payload. */
export interface WebhookDelivery<Name = string> {
  /** The same for each attempt: act on each id once. */
  readonly id: string;
  /** When this attempt was made. */
  readonly sentAt: Date;
  readonly name: Name;
}

export interface WebhookReceiverOptions<Payloads> {
  /** `whsec_...`, or several while one takes the place of another, or where to get them. */
  readonly secret: string | readonly string[] | (() => string | readonly string[] | Promise<string | readonly string[]>);
  /** How old or early an attempt may be, in seconds; 300 by default. */
  readonly tolerance?: number | undefined;
  /** The longest body that is read, in bytes; 1 MiB by default. */
  readonly maxBytes?: number | undefined;
  /** What is sent and has no handler is accepted and dropped. If one throws, so does the receiver, and the delivery is made again. */
  readonly handlers: {
    readonly [Name in keyof Payloads]?: ((payload: Payloads[Name], delivery: WebhookDelivery<Name>) => unknown) | undefined;
  };
}

/**
 * Answers a request: 204 once its handler has ended, 401 for a signature that is not right, 400 and 413 for what is no delivery.
 *
 * @param name which webhook it is, where the address is for one of them alone, or where payloads do not tell.
 */
export type WebhookReceiver<Name> = (request: Request, name?: Name) => Promise<Response>;

/** How a payload is recognized: by the texts that properties must have, and by properties that must be there. */
export interface WebhookEntry {
  readonly tags?: Readonly<Record<string, readonly string[]>>;
  readonly required?: readonly string[];
  /** Whether there may be none, or must be. */
  readonly body?: 'optional' | 'none';
  /** Where its integers are `bigint`, and its moments `Date`. */
  readonly place?: () => Place;
}

/** More signatures than a rotation needs are not tried. */
const MAX_SIGNATURES = 10;

function createReceiver<Payloads>(
  entries: Readonly<Record<string, WebhookEntry>>,
  { secret, tolerance = 300, maxBytes = 1_048_576, handlers }: WebhookReceiverOptions<Payloads>,
): WebhookReceiver<keyof Payloads> {
  const refuse = (status: number, message: string): Response =>
    new Response(message, { status, headers: { 'Content-Type': 'text/plain' } });
  return async (request, given) => {
    const { headers } = request;
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers.get(name));
    if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp))
      return refuse(400, 'the headers of Standard Webhooks are missing');
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) return refuse(401, 'webhook-timestamp is not of now');
    const body = await readBytes(request, maxBytes);
    if (body === undefined) return refuse(413, `the body has more than ${maxBytes} bytes`);
    const secrets = typeof secret === 'function' ? await secret() : secret;
    const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), body);
    if (!(await isSigned(typeof secrets === 'string' ? [secrets] : secrets, signatures, signed)))
      return refuse(401, 'webhook-signature is not that of the secret');
    let text = '';
    let payload: unknown;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
      payload = body.length === 0 ? undefined : parseJson(text);
    } catch {
      return refuse(400, 'the body is no JSON');
    }
    const names = given === undefined ? Object.keys(entries).filter((name) => fits(entries[name], payload)) : [String(given)];
    const [name, ...others] = names as (keyof Payloads & string)[];
    if (name === undefined) return refuse(400, 'the body is of no webhook of the contract');
    if (others.length > 0) throw new TypeError(`the body may be of ${names.join(', ')}: give the receiver the name`);
    const { place } = entries[name] ?? {};
    try {
      if (place !== undefined && body.length > 0) payload = parseJson(text, place);
    } catch (error) {
      return refuse(400, `the body ${(error as Error).message}`);
    }
    await handlers[name]?.(payload as Payloads[typeof name], { id, sentAt: new Date(Number(timestamp) * 1000), name });
    return new Response(null, { status: 204 });
  };
}

function fits(entry: WebhookEntry | undefined, payload: unknown): boolean {
  if (entry === undefined) return false;
  const { tags = {}, required = [], body } = entry;
  if (payload === undefined || body === 'none') return payload === undefined && body !== undefined;
  if (required.length === 0) return true;
  if (typeof payload !== 'object' || payload === null) return false;
  const values = payload as Readonly<Record<string, unknown>>;
  return (
    required.every((name) => Object.hasOwn(values, name)) &&
    Object.entries(tags).every(([name, texts]) => texts.some((text) => text === values[name]))
  );
}

/** @returns `undefined` if there are more. */
async function readBytes({ body }: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let bytes = new Uint8Array();
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return bytes;
    bytes = join(bytes, chunk.value);
    if (bytes.length <= maxBytes) continue;
    await reader?.cancel();
    return undefined;
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Whether one of the signatures is that of one of the secrets. `verify` takes the same time for each. */
async function isSigned(secrets: readonly string[], signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const given = signatures.split(' ').flatMap((signature) => (signature.startsWith('v1,') ? (fromBase64(signature.slice(3)) ?? []) : []));
  for (const secret of secrets) {
    const bytes = fromBase64(secret.replace(/^whsec_/, ''));
    if (bytes === undefined || bytes.length === 0) throw new TypeError('a secret of webhooks is whsec_ and base64');
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of given.slice(0, MAX_SIGNATURES)) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** What a request of Node and of Express has. */
export interface NodeWebhookRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What a response of Node and of Express has. */
export interface NodeWebhookResponse {
  statusCode: number;
  readonly end: (text: string) => unknown;
}

/**
 * The receiver as a request listener of Node, or as a handler of Express before any that parses bodies:
 * `app.post('/hook', nodeWebhookHandler(receiver))`.
 *
 * @param name as that of the receiver.
 */
export function nodeWebhookHandler<Name>(
  receiver: WebhookReceiver<Name>,
  name?: Name,
): (request: NodeWebhookRequest, response: NodeWebhookResponse, next?: (error: unknown) => void) => void {
  const answer = async (request: NodeWebhookRequest): Promise<Response> => {
    const headers = Object.entries(request.headers).filter(
      (entry): entry is [string, string] => /^webhook-/i.test(entry[0]) && typeof entry[1] === 'string',
    );
    const chunks = request[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const chunk: IteratorResult<unknown, unknown> = await chunks.next();
        if (chunk.done === true) controller.close();
        else controller.enqueue(chunk.value as Uint8Array);
      },
    });
    // What fetch wants of a body that is a stream.
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
    return receiver(new Request('http://localhost/', init), name);
  };
  return (request, response, next) => {
    answer(request).then(
      async (answered) => {
        response.statusCode = answered.status;
        response.end(await answered.text());
      },
      (error: unknown) => {
        if (next !== undefined) {
          next(error);
          return;
        }
        response.statusCode = 500;
        response.end('');
      },
    );
  };
}

export { O1 as listPets, O2 as createPet, O3 as getPet, O4 as replacePet, O5 as deletePet, O6 as updatePet, O7 as listCategories, O8 as createCategory, O9 as getCategory, O10 as replaceCategory, O11 as deleteCategory, O12 as updateCategory, O13 as getStorePet, O14 as listPhotos, O15 as createPhoto, O16 as getPhoto, O17 as deletePhoto, O18 as listOrders, O19 as createOrder, O20 as getOrder, O21 as deleteOrder, O22 as updateOrder, O23 as listInventory, O24 as listenToInventory, O25 as getInventory, O26 as setInventory, O27 as createAccount, O28 as requestSignUp, O29 as confirmSignUp, O30 as getAccount, O31 as getRateLimit, O32 as sendMessage, O33 as replayMessages, O34 as getMessage, O35 as getWebhook, O36 as setWebhook, O37 as deleteWebhook, O38 as listKeys, O39 as createKey, O40 as rotateKey, O41 as getKey, O42 as revokeKey };
