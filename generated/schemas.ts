/**
 * The named schemas, as Standard Schema: for forms, routers and what else checks a value before it is sent. Generated from the spec by
 * `npx specwright client`. Do not edit: change the spec.
 *
 * `withTexts(schema, { required: 'Please fill this in' })` has texts for people. They accept all that the server does; conditions,
 * `not`, patterns of names and formats that are no expressions are for the server to check.
 */
import type { Schemas } from './client.ts';

export const idSchema: ValueSchema<Schemas["Id"]> = /* @__PURE__ */ createSchema(() => all(type("integer"), minimum(1), maximum(9007199254740991)));
export const petStatusSchema: ValueSchema<Schemas["PetStatus"]> = /* @__PURE__ */ createSchema(() => all(type("string"), oneOfValues("available", "pending", "sold")));
export const petNameSchema: ValueSchema<Schemas["PetName"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(100), all(type("string"), minLength(1), pattern(/^[^\x00-\x1F\x7F]*$/u))));
export const newPetSchema: ValueSchema<Schemas["NewPet"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["name"]: reference(() => petNameSchema), ["categoryId"]: reference(() => idSchema), ["status"]: reference(() => petStatusSchema) }, ["name","categoryId"], false)));
export const petPatchSchema: ValueSchema<Schemas["PetPatch"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["name"]: reference(() => petNameSchema), ["categoryId"]: reference(() => idSchema), ["status"]: reference(() => petStatusSchema) }, [], false)));
export const petSchema: ValueSchema<Schemas["Pet"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => idSchema), ["name"]: reference(() => petNameSchema), ["categoryId"]: reference(() => idSchema), ["status"]: reference(() => petStatusSchema) }, ["id","name","categoryId"], false)));
export const petsSchema: ValueSchema<Schemas["Pets"]> = /* @__PURE__ */ createSchema(() => bounded(maxItems(100), all(type("array"), items(reference(() => petSchema)))));
export const photoCaptionSchema: ValueSchema<Schemas["PhotoCaption"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(200), all(type("string"), pattern(/^[^\x00-\x1F\x7F]*$/u))));
export const newPhotoSchema: ValueSchema<Schemas["NewPhoto"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["caption"]: reference(() => photoCaptionSchema), ["photo"]: reference(() => photoBytesSchema) }, ["photo"], false)));
export const photoBytesSchema: ValueSchema<Schemas["PhotoBytes"]> = /* @__PURE__ */ createSchema(() => all());
export const photoSchema: ValueSchema<Schemas["Photo"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => idSchema), ["petId"]: reference(() => idSchema), ["type"]: all(type("string"), oneOfValues("image/jpeg", "image/png", "image/gif", "image/webp")), ["size"]: all(type("integer"), minimum(1), maximum(5242880)), ["caption"]: reference(() => photoCaptionSchema), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["id","petId","type","size","createdAt"], false)));
export const photosSchema: ValueSchema<Schemas["Photos"]> = /* @__PURE__ */ createSchema(() => bounded(maxItems(100), all(type("array"), items(reference(() => photoSchema)))));
export const categoryNameSchema: ValueSchema<Schemas["CategoryName"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(100), all(type("string"), minLength(1), pattern(/^[^\x00-\x1F\x7F]*$/u))));
export const newCategorySchema: ValueSchema<Schemas["NewCategory"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["name"]: reference(() => categoryNameSchema), ["description"]: bounded(maxLength(1000), all(type("string"), pattern(/^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$/u))) }, ["name"], false)));
export const categoryPatchSchema: ValueSchema<Schemas["CategoryPatch"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["name"]: reference(() => categoryNameSchema), ["description"]: bounded(maxLength(1000), all(type("string", "null"), pattern(/^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$/u))) }, [], false)));
export const categorySchema: ValueSchema<Schemas["Category"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => idSchema), ["name"]: reference(() => categoryNameSchema), ["description"]: bounded(maxLength(1000), all(type("string"), pattern(/^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$/u))) }, ["id","name"], false)));
export const categoriesSchema: ValueSchema<Schemas["Categories"]> = /* @__PURE__ */ createSchema(() => bounded(maxItems(100), all(type("array"), items(reference(() => categorySchema)))));
export const newOrderSchema: ValueSchema<Schemas["NewOrder"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["petId"]: reference(() => idSchema), ["quantity"]: all(type("integer"), minimum(1), maximum(1000000)), ["shipDate"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["complete"]: type("boolean") }, [], false)));
export const orderPatchSchema: ValueSchema<Schemas["OrderPatch"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["petId"]: all(type("integer", "null"), minimum(1), maximum(9007199254740991)), ["quantity"]: all(type("integer", "null"), minimum(1), maximum(1000000)), ["shipDate"]: bounded(maxLength(64), all(type("string", "null"), format("date-time", isDateTime))), ["complete"]: type("boolean") }, [], false)));
export const orderSchema: ValueSchema<Schemas["Order"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => idSchema), ["petId"]: reference(() => idSchema), ["quantity"]: all(type("integer"), minimum(1), maximum(1000000)), ["shipDate"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["complete"]: type("boolean") }, [], false)));
export const ordersSchema: ValueSchema<Schemas["Orders"]> = /* @__PURE__ */ createSchema(() => bounded(maxItems(100), all(type("array"), items(reference(() => orderSchema)))));
export const inventoryItemSchema: ValueSchema<Schemas["InventoryItem"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["petId"]: reference(() => idSchema), ["quantity"]: all(type("integer"), minimum(0), maximum(9007199254740991)), ["status"]: reference(() => petStatusSchema) }, ["petId","quantity","status"], false)));
export const inventorySchema: ValueSchema<Schemas["Inventory"]> = /* @__PURE__ */ createSchema(() => bounded(maxItems(100), all(type("array"), items(reference(() => inventoryItemSchema)))));
export const inventoryEventIdSchema: ValueSchema<Schemas["InventoryEventId"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(16), all(type("string"), pattern(/^(0|[1-9][0-9]*)$/u))));
export const inventoryEventSchema: ValueSchema<Schemas["InventoryEvent"]> = /* @__PURE__ */ createSchema(() => alternatives('oneOf', reference(() => inventoryChangedSchema), reference(() => inventoryRemovedSchema), reference(() => inventoryResetSchema)));
export const inventoryChangedSchema: ValueSchema<Schemas["InventoryChanged"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => inventoryEventIdSchema), ["event"]: all(type("string"), oneOfValues("changed")), ["data"]: reference(() => inventoryItemSchema) }, ["id","event","data"], false)));
export const inventoryRemovedSchema: ValueSchema<Schemas["InventoryRemoved"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => inventoryEventIdSchema), ["event"]: all(type("string"), oneOfValues("removed")), ["data"]: all(type("object"), properties({ ["petId"]: reference(() => idSchema) }, ["petId"], false)) }, ["id","event","data"], false)));
export const inventoryResetSchema: ValueSchema<Schemas["InventoryReset"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => inventoryEventIdSchema), ["event"]: all(type("string"), oneOfValues("reset")), ["data"]: all(type("object"), properties({ ["reason"]: all(type("string"), oneOfValues("started", "expired")) }, ["reason"], false)) }, ["id","event","data"], false)));
export const inventoryUpdateSchema: ValueSchema<Schemas["InventoryUpdate"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["quantity"]: all(type("integer"), minimum(0), maximum(1000000000)) }, ["quantity"], false)));
export const planSchema: ValueSchema<Schemas["Plan"]> = /* @__PURE__ */ createSchema(() => all(type("string"), oneOfValues("free", "pro", "business", "enterprise")));
export const emailSchema: ValueSchema<Schemas["Email"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(254), all(type("string"), format("email", /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i))));
export const newAccountSchema: ValueSchema<Schemas["NewAccount"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["email"]: reference(() => emailSchema) }, ["email"], false)));
export const signUpConfirmationSchema: ValueSchema<Schemas["SignUpConfirmation"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["token"]: reference(() => signUpTokenSchema) }, ["token"], false)));
export const signUpTokenSchema: ValueSchema<Schemas["SignUpToken"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(2000), all(type("string"), minLength(1), pattern(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/u))));
export const signUpRequestedSchema: ValueSchema<Schemas["SignUpRequested"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["type"]: all(type("string"), oneOfValues("sign_up.requested")), ["timestamp"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["data"]: reference(() => requestedSignUpSchema) }, ["type","timestamp","data"], false)));
export const requestedSignUpSchema: ValueSchema<Schemas["RequestedSignUp"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["email"]: reference(() => emailSchema), ["token"]: reference(() => signUpTokenSchema), ["expiresAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["email","token","expiresAt"], false)));
export const accountSchema: ValueSchema<Schemas["Account"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => idSchema), ["email"]: reference(() => emailSchema), ["plan"]: reference(() => planSchema), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["id","email","plan","createdAt"], false)));
export const createdAccountSchema: ValueSchema<Schemas["CreatedAccount"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => idSchema), ["email"]: reference(() => emailSchema), ["plan"]: reference(() => planSchema), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["apiKey"]: bounded(maxLength(100), all(type("string"), pattern(/^psk_live_[0-9A-Za-z]{36}$/u))) }, ["id","email","plan","createdAt","apiKey"], false)));
export const rateLimitWindowSchema: ValueSchema<Schemas["RateLimitWindow"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["limit"]: all(type("integer"), minimum(1), maximum(1000000000)), ["remaining"]: all(type("integer"), minimum(0), maximum(1000000000)), ["resetsAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["limit","remaining","resetsAt"], false)));
export const rateLimitBanSchema: ValueSchema<Schemas["RateLimitBan"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["until"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["retryAfter"]: all(type("integer"), minimum(1), maximum(86400)) }, ["until","retryAfter"], false)));
export const rateLimitSchema: ValueSchema<Schemas["RateLimit"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["plan"]: reference(() => planSchema), ["minute"]: reference(() => rateLimitWindowSchema), ["day"]: reference(() => rateLimitWindowSchema), ["ban"]: reference(() => rateLimitBanSchema) }, ["plan","minute","day"], false)));
export const messageIdSchema: ValueSchema<Schemas["MessageId"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(40), all(type("string"), pattern(/^msg_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u))));
export const messageTextSchema: ValueSchema<Schemas["MessageText"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(4096), all(type("string"), minLength(1), pattern(/^[^\x00]+$/u))));
export const newMessageSchema: ValueSchema<Schemas["NewMessage"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["message"]: reference(() => messageTextSchema) }, ["message"], false)));
export const messageCreatedSchema: ValueSchema<Schemas["MessageCreated"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["type"]: all(type("string"), oneOfValues("message.created")), ["timestamp"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["data"]: reference(() => deliveredMessageSchema) }, ["type","timestamp","data"], false)));
export const deliveredMessageSchema: ValueSchema<Schemas["DeliveredMessage"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => messageIdSchema), ["message"]: reference(() => messageTextSchema), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["id","message","createdAt"], false)));
export const newReplaySchema: ValueSchema<Schemas["NewReplay"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["since"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["since"], false)));
export const replaySchema: ValueSchema<Schemas["Replay"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["replayed"]: all(type("integer"), minimum(0), maximum(9007199254740991)) }, ["replayed"], false)));
export const messageStatusSchema: ValueSchema<Schemas["MessageStatus"]> = /* @__PURE__ */ createSchema(() => all(type("string"), oneOfValues("queued", "sent", "failed")));
export const messageSchema: ValueSchema<Schemas["Message"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => messageIdSchema), ["message"]: reference(() => messageTextSchema), ["status"]: reference(() => messageStatusSchema), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["id","message","status","createdAt"], false)));
export const webhookUrlSchema: ValueSchema<Schemas["WebhookUrl"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(2000), all(type("string"), pattern(/^https?:\/\/[!-~]+$/u, { source: "^https?://[!-~]+$" }))));
export const newWebhookSchema: ValueSchema<Schemas["NewWebhook"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["url"]: reference(() => webhookUrlSchema) }, ["url"], false)));
export const webhookSchema: ValueSchema<Schemas["Webhook"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["url"]: reference(() => webhookUrlSchema), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["url","createdAt"], false)));
export const createdWebhookSchema: ValueSchema<Schemas["CreatedWebhook"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["url"]: reference(() => webhookUrlSchema), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["secret"]: bounded(maxLength(100), all(type("string"), pattern(/^whsec_[0-9A-Za-z+/]{43}=$/u))) }, ["url","createdAt","secret"], false)));
export const keyNameSchema: ValueSchema<Schemas["KeyName"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(100), all(type("string"), minLength(1), pattern(/^[^\x00-\x1F\x7F]+$/u))));
export const newApiKeySchema: ValueSchema<Schemas["NewApiKey"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["name"]: reference(() => keyNameSchema), ["expiresAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))) }, ["name"], false)));
export const keyRotationSchema: ValueSchema<Schemas["KeyRotation"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["gracePeriod"]: all(type("integer"), minimum(0), maximum(604800)) }, [], false)));
export const apiKeySchema: ValueSchema<Schemas["ApiKey"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => idSchema), ["name"]: reference(() => keyNameSchema), ["prefix"]: bounded(maxLength(13), all(type("string"), pattern(/^psk_live_[0-9A-Za-z]{4}$/u))), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["lastUsedAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["expiresAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["replacedBy"]: reference(() => idSchema), ["scopes"]: bounded(maxItems(100), all(type("array"), items(bounded(maxLength(200), all(type("string"), minLength(1), pattern(/^[!-~]+$/u)))))) }, ["id","name","prefix","createdAt"], false)));
export const apiKeysSchema: ValueSchema<Schemas["ApiKeys"]> = /* @__PURE__ */ createSchema(() => bounded(maxItems(100), all(type("array"), items(reference(() => apiKeySchema)))));
export const createdApiKeySchema: ValueSchema<Schemas["CreatedApiKey"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["id"]: reference(() => idSchema), ["name"]: reference(() => keyNameSchema), ["prefix"]: bounded(maxLength(13), all(type("string"), pattern(/^psk_live_[0-9A-Za-z]{4}$/u))), ["createdAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["lastUsedAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["expiresAt"]: bounded(maxLength(64), all(type("string"), format("date-time", isDateTime))), ["replacedBy"]: reference(() => idSchema), ["scopes"]: bounded(maxItems(100), all(type("array"), items(bounded(maxLength(200), all(type("string"), minLength(1), pattern(/^[!-~]+$/u)))))), ["apiKey"]: bounded(maxLength(100), all(type("string"), pattern(/^psk_live_[0-9A-Za-z]{36}$/u))) }, ["id","name","prefix","createdAt","apiKey"], false)));
export const eTagsSchema: ValueSchema<Schemas["ETags"]> = /* @__PURE__ */ createSchema(() => bounded(maxLength(1000), all(type("string"), pattern(/^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u, { source: "^(\\*|(W/)?\"[!#-~]*\"([ \\t]*,[ \\t]*(W/)?\"[!#-~]*\")*)$" }))));
export const errorCodeSchema: ValueSchema<Schemas["ErrorCode"]> = /* @__PURE__ */ createSchema(() => all(type("string"), oneOfValues("invalid_request", "invalid_json", "unsupported_content_type", "idempotency_key_reused", "invalid_reference", "invalid_webhook_url", "invalid_image", "unauthorized", "insufficient_scope", "not_found", "method_not_allowed", "request_timeout", "out_of_stock", "pet_sold", "order_complete", "pet_in_use", "category_in_use", "photo_quota", "email_taken", "key_limit", "last_key", "key_inactive", "idempotency_key_in_use", "gone", "precondition_failed", "body_too_large", "range_not_satisfiable", "expectation_failed", "headers_too_large", "rate_limited", "api_key_banned", "internal_error", "not_implemented", "service_unavailable")));
export const errorSchema: ValueSchema<Schemas["Error"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["code"]: reference(() => errorCodeSchema), ["message"]: bounded(maxLength(5000), all(type("string"), minLength(1))), ["status"]: all(type("integer"), minimum(400), maximum(599)), ["errors"]: bounded(maxItems(20), all(type("array"), minItems(1), items(reference(() => requestProblemSchema)))) }, ["code","message","status"], false)));
export const requestProblemSchema: ValueSchema<Schemas["RequestProblem"]> = /* @__PURE__ */ createSchema(() => all(type("object"), properties({ ["location"]: all(type("string"), oneOfValues("body", "query", "path", "header", "cookie")), ["pointer"]: bounded(maxLength(1000), type("string")), ["code"]: bounded(maxLength(100), all(type("string"), minLength(1), pattern(/^[A-Za-z]+$/u))), ["message"]: bounded(maxLength(5000), all(type("string"), minLength(1))) }, ["location","pointer","code","message"], false)));

// ---- Dates and times of RFC 3339, section 5.6.
// Generated clients contain this file: it imports nothing.

/** Strictly: ajv-formats also accepts a blank for the `T` and an offset without minutes. */
const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** `full-date`: `2026-12-24`. */
function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match;
  return Number(day) <= 28 || Number(day) <= daysOf(Number(year), Number(month));
}

/** `full-time`: `12:00:00Z`. A second 60 only where UTC can have one: at the end of its day (appendix D). */
function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [, hour, minute, second, sign, offsetHour = 0, offsetMinute = 0] = match;
  if (second !== '60') return true;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  return (Number(hour) * 60 + Number(minute) - offset + 2 * MINUTES_OF_DAY) % MINUTES_OF_DAY === MINUTES_OF_DAY - 1;
}

/** `date-time`: `2026-12-24T12:00:00+01:00`. */
const isDateTime = (text: string): boolean => /^[Tt]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));

const MINUTES_OF_DAY = 24 * 60;

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

// ---- Checks values as the schemas of a contract say, before they are sent: Standard Schema, version 1 (standardschema.dev).

export interface SchemaIssue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
  /** The keyword of the schema: `minLength`, `required`, `format`. */
  readonly code: string;
  /** What the keyword says: a limit, a name, a pattern, the values. */
  readonly expected: unknown;
}

/** What libraries of forms take. The value is not changed: the server fills in defaults. */
export interface ValueSchema<Value> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'specwright';
    readonly validate: (
      value: unknown,
    ) => { readonly value: Value; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };
    readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  };
}

/** By code. */
export type IssueTexts = Readonly<Record<string, string | ((issue: SchemaIssue) => string)>>;

/** The same schema with other texts: `withTexts(newPetSchema, { required: 'Please fill this in' })`. */
export function withTexts<Value>(schema: ValueSchema<Value>, texts: IssueTexts): ValueSchema<Value> {
  const { validate, ...standard } = schema['~standard'];
  const replaced = (issue: SchemaIssue): SchemaIssue => {
    const text = texts[issue.code] ?? issue.message;
    return { ...issue, message: typeof text === 'string' ? text : text(issue) };
  };
  return {
    '~standard': {
      ...standard,
      validate: (value) => {
        const result = validate(value);
        return result.issues === undefined ? result : { issues: result.issues.map(replaced) };
      },
    },
  };
}

type Path = readonly PropertyKey[];
type Check = (value: unknown, path: Path, issues: SchemaIssue[]) => void;

interface CheckedSchema<Value> extends ValueSchema<Value> {
  readonly '~check': Check;
}

function createSchema<Value>(make: () => Check): CheckedSchema<Value> {
  let made: Check | undefined;
  const check: Check = (...value) => (made ??= make())(...value);
  const validate = (value: unknown) => {
    const issues: SchemaIssue[] = [];
    check(value, [], issues);
    return issues.length === 0 ? { value: value as Value } : { issues };
  };
  return { '~check': check, '~standard': { version: 1, vendor: 'specwright', validate } };
}

const reference =
  (schema: () => ValueSchema<unknown>): Check =>
  (...value) =>
    (schema() as CheckedSchema<unknown>)['~check'](...value);

const all =
  (...checks: readonly Check[]): Check =>
  (...value) =>
    checks.forEach((check) => check(...value));

/** What is too large has no other problem. */
const bounded =
  (bound: Check, check: Check): Check =>
  (value, path, issues) => {
    const { length } = issues;
    bound(value, path, issues);
    if (issues.length === length) check(value, path, issues);
  };

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'number') return Number.isFinite(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

/** @param type of the values that the keyword is about; `undefined` for any. */
const rule =
  <T>(type: string | undefined, code: string, expected: unknown, message: string, isValid: (value: T) => boolean): Check =>
  (value, path, issues) => {
    if ((type === undefined || isOfType(type, value)) && !isValid(value as T)) issues.push({ message, path, code, expected });
  };

const type = (...types: readonly string[]): Check =>
  rule(undefined, 'type', types, `must be ${types.join()}`, (value) => types.some((one) => isOfType(one, value)));

/** Equal values have equal texts: the order of properties does not count (RFC 8259, section 4). */
const comparedText = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    isOfType('object', part) ? Object.fromEntries(Object.entries(part as object).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

const oneOfValues = (...values: readonly unknown[]): Check => {
  const texts = values.map(comparedText);
  const message = `must be equal to one of the allowed values: ${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')}`;
  return rule(undefined, 'enum', values, message, (value) => texts.includes(comparedText(value)));
};

const minimum = (limit: number) => rule<number>('number', 'minimum', limit, `must be >= ${limit}`, (value) => value >= limit);
const maximum = (limit: number) => rule<number>('number', 'maximum', limit, `must be <= ${limit}`, (value) => value <= limit);

const fewer = (limit: number, unit: string) => `must NOT have fewer than ${limit} ${unit}`;
const more = (limit: number, unit: string) => `must NOT have more than ${limit} ${unit}`;
/** In code points. */
const lengthOf = (text: string): number => Array.from(text).length;
const minLength = (limit: number) =>
  rule<string>('string', 'minLength', limit, fewer(limit, 'characters'), (text) => lengthOf(text) >= limit);
const maxLength = (limit: number) =>
  rule<string>('string', 'maxLength', limit, more(limit, 'characters'), (text) => lengthOf(text) <= limit);
const minItems = (limit: number) =>
  rule<unknown[]>('array', 'minItems', limit, fewer(limit, 'items'), ({ length }) => length >= limit);
const maxItems = (limit: number) =>
  rule<unknown[]>('array', 'maxItems', limit, more(limit, 'items'), ({ length }) => length <= limit);

const pattern = (expression: RegExp, { source }: { readonly source: string } = expression) =>
  rule<string>('string', 'pattern', source, `must match pattern "${source}"`, (text) => expression.test(text));
const format = (name: string, test: RegExp | ((text: string) => boolean)) =>
  rule<string>('string', 'format', name, `must match format "${name}"`, (text) =>
    typeof test === 'function' ? test(text) : test.test(text),
  );

const items =
  (check: Check): Check =>
  (value, path, issues) => {
    if (Array.isArray(value)) value.forEach((item, i) => check(item, [...path, i], issues));
  };

/** @param others of the properties that are not named; `false`: there are none. */
const properties =
  (named: Readonly<Record<string, Check>>, required: readonly string[], others?: Check | false): Check =>
  (value, path, issues) => {
    if (!isOfType('object', value)) return;
    const given = Object.entries(value as object).filter(([, part]) => part !== undefined);
    const names = new Set(given.map(([name]) => name));
    for (const name of required)
      if (!names.has(name)) issues.push({ message: 'is required', path: [...path, name], code: 'required', expected: name });
    for (const [name, part] of given) {
      const check = Object.hasOwn(named, name) ? named[name] : others;
      if (check === false) issues.push({ message: 'is not declared', path: [...path, name], code: 'additionalProperties', expected: name });
      else check?.(part, [...path, name], issues);
    }
  };

/** @param code `oneOf`: exactly one of them accepts the value. */
const alternatives =
  (code: 'anyOf' | 'oneOf', ...checks: readonly Check[]): Check =>
  (value, path, issues) => {
    const found = checks.map((check) => {
      const own: SchemaIssue[] = [];
      check(value, path, own);
      return own;
    });
    const accepting = found.filter(({ length }) => length === 0).length;
    if (code === 'anyOf' ? accepting > 0 : accepting === 1) return;
    const message = `must match ${code === 'anyOf' ? 'a' : 'exactly one'} schema in ${code}`;
    issues.push(...(accepting === 0 ? found.flat() : []), { message, path, code, expected: checks.length });
  };