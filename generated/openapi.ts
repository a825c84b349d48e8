/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

export type $Read<T> = {
    readonly $read: T;
};
export type $Write<T> = {
    readonly $write: T;
};
export type Readable<T> = T extends $Write<any> ? never : T extends $Read<infer U> ? Readable<U> : T extends (infer E)[] ? Readable<E>[] : T extends object ? {
    [K in keyof T as NonNullable<T[K]> extends $Write<any> ? never : K]: Readable<T[K]>;
} : T;
export type Writable<T> = T extends $Read<any> ? never : T extends $Write<infer U> ? Writable<U> : T extends (infer E)[] ? Writable<E>[] : T extends object ? {
    [K in keyof T as NonNullable<T[K]> extends $Read<any> ? never : K]: Writable<T[K]>;
} & {
    [K in keyof T as NonNullable<T[K]> extends $Read<any> ? K : never]?: never;
} : T;
export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pets
         * @description The pets of the account, oldest first.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Create a pet
         * @description Creates a pet in one of the account's categories. Its stock starts at 0.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        /**
         * Read a pet (deprecated)
         * @deprecated
         * @description Use `GET /store/pets/{petId}`, which answers with the same body.
         */
        get: operations["getPet"];
        /**
         * Replace a pet
         * @description Replaces every field of the pet. Never creates one.
         */
        put: operations["replacePet"];
        post?: never;
        /**
         * Delete a pet
         * @description Deletes the pet, its stock and its photos. A pet with open orders stays; complete orders keep its id.
         */
        delete: operations["deletePet"];
        options?: never;
        head?: never;
        /**
         * Change single fields of a pet
         * @description A JSON Merge Patch (RFC 7396). Fields that are not in the body stay as they are.
         */
        patch: operations["updatePet"];
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description The categories of the account, oldest first.
         */
        get: operations["listCategories"];
        put?: never;
        /**
         * Create a category
         * @description Creates a category, a kind of animal.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{categoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The category.
                 * @example 1
                 */
                categoryId: components["parameters"]["CategoryId"];
            };
            cookie?: never;
        };
        /**
         * Read a category
         * @description Reads one category.
         */
        get: operations["getCategory"];
        /**
         * Replace a category
         * @description Replaces every field of the category. Never creates one.
         */
        put: operations["replaceCategory"];
        post?: never;
        /**
         * Delete a category
         * @description Deletes the category. One that still has pets stays.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        /**
         * Change single fields of a category
         * @description A JSON Merge Patch (RFC 7396). Fields that are not in the body stay as they are; `description: null` removes
         *     the description.
         */
        patch: operations["updateCategory"];
        trace?: never;
    };
    "/store/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        /**
         * Read a pet
         * @description Reads one pet.
         */
        get: operations["getStorePet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/pets/{petId}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        /**
         * List the photos of a pet
         * @description What is known of the photos of a pet, oldest first. `GET /store/pets/{petId}/photos/{photoId}` has their bytes.
         */
        get: operations["listPhotos"];
        put?: never;
        /**
         * Upload a photo of a pet
         * @description A JPEG, PNG, GIF or WebP image of at most 5 MiB, as a form sends a file. Its type is found by looking at its bytes, whatever is said
         *     of it; what is none of these is refused (`invalid_image`). The photos of an account have at most 50 MiB in all, those that are being
         *     uploaded included. The upload cannot be repeated by a key: a client that has had no answer looks at the list.
         */
        post: operations["createPhoto"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/pets/{petId}/photos/{photoId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
                /**
                 * @description The photo.
                 * @example 1
                 */
                photoId: components["parameters"]["PhotoId"];
            };
            cookie?: never;
        };
        /**
         * Download a photo
         * @description The bytes of a photo, with the type that was found by looking at them. They never change: the `ETag` is made of them. A part is asked for
         *     with `Range`; several ranges at once are not served. A browser shows a photo, and runs nothing of it.
         */
        get: operations["getPhoto"];
        put?: never;
        post?: never;
        /**
         * Delete a photo
         * @description Deletes a photo. Its bytes do not count for the quota of the account any more.
         */
        delete: operations["deletePhoto"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description The orders of the account, oldest first.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Create an order
         * @description `{}` is a draft. With a `petId` (`quantity` is 1 if it is not given) the units are taken from the pet's stock at
         *     once: either the order is made and the units are reserved, or neither. The last unit makes the pet `pending`. A pet
         *     that is `sold` cannot be ordered.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order.
                 * @example 1
                 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        /**
         * Read an order
         * @description Reads one order.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        /**
         * Cancel an order
         * @description Deletes an open order and releases its units. A complete order stays.
         */
        delete: operations["deleteOrder"];
        options?: never;
        head?: never;
        /**
         * Change or complete an order
         * @description A JSON Merge Patch (RFC 7396). What changes is reserved or released in the same step. `complete: true` fulfils
         *     the order, for good: after that only `shipDate` may change. The last order completed when the stock is 0 makes the
         *     pet `sold`. `null` removes `petId`, `quantity` or `shipDate`.
         */
        patch: operations["updateOrder"];
        trace?: never;
    };
    "/store/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the inventory
         * @description One entry for each pet of the account, oldest pet first.
         */
        get: operations["listInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/inventory/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listen to changes of the stock
         * @description Server-sent events: every change of a pet's stock or status from now on, in the order in which they happened. `changed` has the
         *     entry as the change left it, `removed` the pet that was deleted. An event has an `id`; a client that sends the last one it has as
         *     `Last-Event-ID`, as browsers do when they connect again, gets every event after it.
         *
         *     `reset` says that something may be missing: read `GET /store/inventory` again, and apply the events that follow. A stream without
         *     `Last-Event-ID` begins with it (`started`), and so does one whose next events are not kept any more (`expired`): they are kept
         *     for a time that the operator of the service sets, 24 hours unless told otherwise.
         */
        get: operations["listenToInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/inventory/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        /**
         * Read the stock of a pet
         * @description The units that can still be ordered. Units reserved by open orders are not among them.
         */
        get: operations["getInventory"];
        /**
         * Set the stock of a pet
         * @description Sets how many units can be ordered from now on; what open orders hold is not part of it. A pet that was out of
         *     stock becomes `available` again.
         */
        put: operations["setInventory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account
         * @description Creates an account on the Free plan and its first API key. The key is shown this once. A sign-up weighs as much as ten other
         *     requests of an IP address, which may send five in a minute and twenty in a day, whatever becomes of them. Where the operator
         *     has sign-ups confirmed by mail it is not served: `POST /sign-ups`.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up by mail
         * @description Where the operator has sign-ups confirmed by mail: has a mail with a token sent to the address. The answer is the same whether the
         *     address has an account or not. It weighs as much as `POST /accounts`. Elsewhere it is not served.
         */
        post: operations["requestSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-ups/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a sign-up
         * @description Creates the account that the token of a mail is for, on the Free plan, and its first API key. The key is shown this once. A token is
         *     valid for a day.
         */
        post: operations["confirmSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your account
         * @description The account that the API key belongs to.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rate-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the rate limits
         * @description Both windows of the calling account, and the ban of the calling key if there is one. Costs nothing, and is
         *     answered when nothing is left and to a banned key too. While the counters cannot be read each server limits by
         *     what it knows, and this is `503`: a guess would not be the account's limits.
         */
        get: operations["getRateLimit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message
         * @description Queues a message and answers at once. `status` says how far it is: `queued`; `sent` once your webhook has accepted it
         *     or, if the account has none, once the service has processed it; `failed` when every try was in vain, or the webhook was
         *     removed before. Read it again with `GET /messages/{messageId}`.
         *
         *     Delivery is a `POST` to the address of `PUT /account/webhook`, with the payload and the headers of Standard Webhooks
         *     (https://www.standardwebhooks.com), whose libraries verify it with the secret. The body is `MessageCreated`, that of
         *     `x-webhooks`:
         *
         *     - `webhook-id`: the message's id. A message may arrive more than once, always with this id: act on each id once.
         *     - `webhook-timestamp`: when this try was made, in seconds since 1970. Refuse what is more than five minutes old.
         *     - `webhook-signature`: `v1,` and the base64 of an HMAC-SHA256 of the id, a full stop, the timestamp, a full stop and
         *       the bytes of the body. Its key is what the secret has after `whsec_`, decoded from base64. Compute it over the body as
         *       received, and compare in constant time.
         *
         *     Answer with any `2xx` within ten seconds; the body is not read. Anything else, a redirect included, is tried again for three
         *     days, first after seconds and then ever more rarely, up to an hour apart, or as long after as `Retry-After` asks. `410` says
         *     that the webhook is gone: nothing more is sent to it until it is set again. After five failures in a row the webhook is paused
         *     for a minute, and longer after each further one, up to an hour. What was given up is sent again by `POST /messages/replays`.
         *     Messages of one account are not necessarily delivered in order. A message that is `sent` or `failed` is kept for a time that the
         *     operator of the service sets, 30 days unless told otherwise; after it the message is not found.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send failed messages again
         * @description Queues the messages of the account again that are `failed`, under their ids, as if they were new: for a webhook that was away for longer
         *     than messages are tried. A receiver that has taken one before knows it by its `webhook-id`.
         */
        post: operations["replayMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The message.
                 * @example msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10
                 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        /**
         * Read a message
         * @description The message and how far it is.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your webhook
         * @description Where messages are delivered. The secret is not shown again.
         */
        get: operations["getWebhook"];
        /**
         * Set your webhook
         * @description Sets where messages are delivered from now on, and answers with a new secret to check their signatures with: see
         *     `POST /messages`. The secret is shown this once, and each call makes a new one, which takes effect at once. The
         *     service keeps it as it is, since signing needs it.
         *
         *     The address is `http` or `https` on port 80, 443 or one from 1024 on, without user name, password or fragment. Private,
         *     loopback and other addresses that are not public are refused (`invalid_webhook_url`): here if the URL names one, and
         *     again at each delivery if its host name leads to one.
         */
        put: operations["setWebhook"];
        post?: never;
        /**
         * Remove your webhook
         * @description Messages are not delivered any more. Those that are still queued become `failed` once they are processed, and can be sent again by
         *     `POST /messages/replays` after a webhook was set.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The account's API keys, oldest first, without their secrets. Keys that were revoked are not among them; keys
         *     that have expired are, until they are removed, 90 days later.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates another key of the account, with the scopes of the API key that asks for it. The key itself is in this answer only: it is shown once and kept nowhere.
         *     An account has at most 100 valid keys.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/keys/{keyId}/rotation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The API key.
                 * @example 2
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key
         * @description Creates a key of the same name and the same end in the place of this one, which stays valid for the grace period
         *     and not longer. The new key is in this answer only, and in that to a retry with the same `Idempotency-Key`: its
         *     hash is all that is kept. A retry needs a valid key too: without a grace period, send both with another key than the
         *     one that is replaced. An API key that is restricted to scopes replaces only keys whose scopes it has.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The API key.
                 * @example 2
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /**
         * Read an API key
         * @description What is known of one key. Its secret is not.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Ends a key at once, wherever it is used. A key may revoke itself. The last key that is valid and not replaced
         *     stays, or nobody could call for the account any more: create another first, or rotate it. An API key that is
         *     restricted to scopes revokes only keys whose scopes it has.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    messageCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "message.created",
                     *       "timestamp": "2026-11-21T09:00:00.000Z",
                     *       "data": {
                     *         "id": "msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10",
                     *         "message": "Rex has found a home.",
                     *         "createdAt": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MessageCreated"];
                };
            };
            responses: {
                /** @description The message has arrived. The body is not read; any other status makes the delivery be tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    signUpRequested: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignUpRequested"];
                };
            };
            responses: {
                /** @description The message has arrived. The body is not read; any other status makes the delivery be tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Format: int64
         * @description An identifier: a whole number from 1 to 9007199254740991, the largest that every JSON reader keeps exactly.
         * @example 1
         */
        Id: number;
        /**
         * @description The sales status of a pet. The last unit reserved makes it `pending`, one released `available` again, and the
         *     last order completed when none is left `sold`. A pet that is `sold` cannot be ordered, whatever its stock.
         * @example available
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /**
         * @description The animal's name. No control characters.
         * @example Rex
         */
        PetName: string;
        /**
         * @description A pet to create, or to replace another with.
         * @example {
         *       "name": "Rex",
         *       "categoryId": 1,
         *       "status": "available"
         *     }
         */
        NewPet: {
            name: components["schemas"]["PetName"];
            /** @description The category the animal belongs to. */
            categoryId: components["schemas"]["Id"];
            /**
             * @description The sales status.
             * @default available
             */
            status?: components["schemas"]["PetStatus"];
        };
        /**
         * @description Changes to a pet (RFC 7396).
         * @example {
         *       "status": "pending"
         *     }
         */
        PetPatch: {
            name?: components["schemas"]["PetName"];
            categoryId?: components["schemas"]["Id"];
            status?: components["schemas"]["PetStatus"];
        };
        /**
         * @description An animal, the category it belongs to and its sales status.
         * @example {
         *       "id": 1,
         *       "name": "Rex",
         *       "categoryId": 1,
         *       "status": "available"
         *     }
         */
        Pet: {
            /** @description Assigned on creation. */
            id: components["schemas"]["Id"];
            name: components["schemas"]["PetName"];
            /** @description The category the animal belongs to. */
            categoryId: components["schemas"]["Id"];
            status?: components["schemas"]["PetStatus"];
        };
        /** @description Pets, oldest first. */
        Pets: components["schemas"]["Pet"][];
        /**
         * @description What is in the photo. No control characters.
         * @example In the garden
         */
        PhotoCaption: string;
        /** @description A photo to upload. */
        NewPhoto: {
            caption?: components["schemas"]["PhotoCaption"];
            photo: components["schemas"]["PhotoBytes"];
        };
        /**
         * Format: binary
         * @description The bytes of an image.
         */
        PhotoBytes: string;
        /**
         * @description What is known of a photo.
         * @example {
         *       "id": 1,
         *       "petId": 1,
         *       "type": "image/png",
         *       "size": 70,
         *       "caption": "In the garden",
         *       "createdAt": "2026-11-21T09:00:00.000Z"
         *     }
         */
        Photo: {
            /** @description Assigned on creation. */
            id: components["schemas"]["Id"];
            /** @description The animal in the photo. */
            petId: components["schemas"]["Id"];
            /**
             * @description The type of the image, found by looking at its bytes.
             * @example image/png
             * @enum {string}
             */
            type: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
            /**
             * Format: int32
             * @description How many bytes it has.
             * @example 70
             */
            size: number;
            caption?: components["schemas"]["PhotoCaption"];
            /**
             * Format: date-time
             * @description When the photo was uploaded, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
        };
        /** @description Photos, oldest first. */
        Photos: components["schemas"]["Photo"][];
        /**
         * @description A kind of animal. No control characters.
         * @example Dogs
         */
        CategoryName: string;
        /**
         * @description A category to create, or to replace another with.
         * @example {
         *       "name": "Dogs",
         *       "description": "Loyal and loud."
         *     }
         */
        NewCategory: {
            name: components["schemas"]["CategoryName"];
            /**
             * @description A short description. No control characters but tabs and line ends.
             * @example Loyal and loud.
             */
            description?: string;
        };
        /**
         * @description Changes to a category (RFC 7396).
         * @example {
         *       "description": null
         *     }
         */
        CategoryPatch: {
            name?: components["schemas"]["CategoryName"];
            /**
             * @description A new description, or `null` to remove it.
             * @example Loyal and loud.
             */
            description?: string | null;
        };
        /**
         * @description A kind of animal.
         * @example {
         *       "id": 1,
         *       "name": "Dogs",
         *       "description": "Loyal and loud."
         *     }
         */
        Category: {
            /** @description Assigned on creation. */
            id: components["schemas"]["Id"];
            name: components["schemas"]["CategoryName"];
            /**
             * @description A short description.
             * @example Loyal and loud.
             */
            description?: string;
        };
        /** @description Categories, oldest first. */
        Categories: components["schemas"]["Category"][];
        /**
         * @description An order to create. No field is required.
         * @example {
         *       "petId": 1,
         *       "quantity": 2
         *     }
         */
        NewOrder: {
            /** @description The pet to order. Its units are reserved at once. */
            petId?: components["schemas"]["Id"];
            /**
             * Format: int32
             * @description How many units. 1 if there is a `petId` and no quantity.
             * @example 2
             */
            quantity?: number;
            /**
             * Format: date-time
             * @description The expected or actual ship date, in the years 0001 to 9999.
             * @example 2026-12-24T12:00:00.000Z
             */
            shipDate?: string;
            /**
             * @description `true` if the order is fulfilled as it is made.
             * @default false
             * @example false
             */
            complete?: boolean;
        };
        /**
         * @description Changes to an order (RFC 7396).
         * @example {
         *       "complete": true
         *     }
         */
        OrderPatch: {
            /**
             * Format: int64
             * @description The pet to order, or `null` for none.
             * @example 1
             */
            petId?: number | null;
            /**
             * Format: int32
             * @description How many units, or `null` for the default.
             * @example 2
             */
            quantity?: number | null;
            /**
             * Format: date-time
             * @description The expected or actual ship date, or `null` for none.
             * @example 2026-12-24T12:00:00.000Z
             */
            shipDate?: string | null;
            /**
             * @description `true` fulfils the order. A fulfilled one cannot be opened again.
             * @example true
             */
            complete?: boolean;
        };
        /**
         * @description A purchase of an animal. No field is required.
         * @example {
         *       "id": 1,
         *       "petId": 1,
         *       "quantity": 2,
         *       "shipDate": "2026-12-24T12:00:00.000Z",
         *       "complete": false
         *     }
         */
        Order: {
            /** @description Assigned on creation. */
            id?: components["schemas"]["Id"];
            /** @description The animal in the order. */
            petId?: components["schemas"]["Id"];
            /**
             * Format: int32
             * @description How many units are ordered.
             * @example 2
             */
            quantity?: number;
            /**
             * Format: date-time
             * @description The expected or actual ship date, in UTC, to the millisecond.
             * @example 2026-12-24T12:00:00.000Z
             */
            shipDate?: string;
            /**
             * @description Whether the order has been fulfilled.
             * @example false
             */
            complete?: boolean;
        };
        /** @description Orders, oldest first. */
        Orders: components["schemas"]["Order"][];
        /**
         * @description The stock of a pet.
         * @example {
         *       "petId": 1,
         *       "quantity": 10,
         *       "status": "available"
         *     }
         */
        InventoryItem: {
            /** @description The animal the entry tracks. */
            petId: components["schemas"]["Id"];
            /**
             * Format: int64
             * @description The units that can still be ordered.
             * @example 10
             */
            quantity: number;
            status: components["schemas"]["PetStatus"];
        };
        /** @description Inventory entries, oldest pet first. */
        Inventory: components["schemas"]["InventoryItem"][];
        /**
         * @description The number of the event. Those of an account have no gaps.
         * @example 42
         */
        InventoryEventId: string;
        /** @description A change of the stock, or the need to read it again. */
        InventoryEvent: components["schemas"]["InventoryChanged"] | components["schemas"]["InventoryRemoved"] | components["schemas"]["InventoryReset"];
        /**
         * @description The stock or the status of a pet has changed.
         * @example {
         *       "id": "42",
         *       "event": "changed",
         *       "data": {
         *         "petId": 1,
         *         "quantity": 10,
         *         "status": "available"
         *       }
         *     }
         */
        InventoryChanged: {
            id: components["schemas"]["InventoryEventId"];
            /**
             * @description What has happened.
             * @example changed
             * @enum {string}
             */
            event: "changed";
            data: components["schemas"]["InventoryItem"];
        };
        /**
         * @description A pet was deleted, and its stock with it.
         * @example {
         *       "id": "43",
         *       "event": "removed",
         *       "data": {
         *         "petId": 1
         *       }
         *     }
         */
        InventoryRemoved: {
            id: components["schemas"]["InventoryEventId"];
            /**
             * @description What has happened.
             * @example removed
             * @enum {string}
             */
            event: "removed";
            /**
             * @description Which pet.
             * @example {
             *       "petId": 1
             *     }
             */
            data: {
                /** @description The animal that the entry tracked. */
                petId: components["schemas"]["Id"];
            };
        };
        /**
         * @description Events may be missing before those that follow.
         * @example {
         *       "id": "41",
         *       "event": "reset",
         *       "data": {
         *         "reason": "started"
         *       }
         *     }
         */
        InventoryReset: {
            id: components["schemas"]["InventoryEventId"];
            /**
             * @description What has happened.
             * @example reset
             * @enum {string}
             */
            event: "reset";
            /**
             * @description Why.
             * @example {
             *       "reason": "started"
             *     }
             */
            data: {
                /**
                 * @description `started` without a `Last-Event-ID`; `expired` if events after it are not kept any more.
                 * @example started
                 * @enum {string}
                 */
                reason: "started" | "expired";
            };
        };
        /**
         * @description A new stock count.
         * @example {
         *       "quantity": 10
         *     }
         */
        InventoryUpdate: {
            /**
             * Format: int32
             * @description The units that can be ordered from now on.
             * @example 10
             */
            quantity: number;
        };
        /**
         * @description The plan of an account, which sets its rate limits.
         * @example free
         * @enum {string}
         */
        Plan: "free" | "pro" | "business" | "enterprise";
        /**
         * Format: email
         * @description An email address. Upper and lower case make no difference.
         * @example ada@example.com
         */
        Email: string;
        /**
         * @description An account to create.
         * @example {
         *       "email": "ada@example.com"
         *     }
         */
        NewAccount: {
            email: components["schemas"]["Email"];
        };
        /**
         * @description What confirms a sign-up.
         * @example {
         *       "token": "WyJhZGFAZXhhbXBsZS5jb20iLDFd.c2lnbmF0dXJl"
         *     }
         */
        SignUpConfirmation: {
            token: components["schemas"]["SignUpToken"];
        };
        /**
         * @description The token of a mail.
         * @example WyJhZGFAZXhhbXBsZS5jb20iLDFd.c2lnbmF0dXJl
         */
        SignUpToken: string;
        /**
         * @description What the webhook for mails gets for each sign-up.
         * @example {
         *       "type": "sign_up.requested",
         *       "timestamp": "2026-11-21T09:00:00.000Z",
         *       "data": {
         *         "email": "ada@example.com",
         *         "token": "WyJhZGFAZXhhbXBsZS5jb20iLDFd.c2lnbmF0dXJl",
         *         "expiresAt": "2026-11-22T09:00:00.000Z"
         *       }
         *     }
         */
        SignUpRequested: {
            /**
             * @description What has happened.
             * @example sign_up.requested
             * @enum {string}
             */
            type: "sign_up.requested";
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["RequestedSignUp"];
        };
        /**
         * @description A sign-up whose mail is to be sent.
         * @example {
         *       "email": "ada@example.com",
         *       "token": "WyJhZGFAZXhhbXBsZS5jb20iLDFd.c2lnbmF0dXJl",
         *       "expiresAt": "2026-11-22T09:00:00.000Z"
         *     }
         */
        RequestedSignUp: {
            email: components["schemas"]["Email"];
            token: components["schemas"]["SignUpToken"];
            /**
             * Format: date-time
             * @description Until when the token is valid, in UTC.
             * @example 2026-11-22T09:00:00.000Z
             */
            expiresAt: string;
        };
        /**
         * @description An account. Everything that its API keys make belongs to it.
         * @example {
         *       "id": 1,
         *       "email": "ada@example.com",
         *       "plan": "free",
         *       "createdAt": "2026-11-21T09:00:00.000Z"
         *     }
         */
        Account: {
            id: components["schemas"]["Id"];
            email: components["schemas"]["Email"];
            plan: components["schemas"]["Plan"];
            /**
             * Format: date-time
             * @description When the account was created, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
        };
        /**
         * @description A new account and its first API key.
         * @example {
         *       "id": 1,
         *       "email": "ada@example.com",
         *       "plan": "free",
         *       "createdAt": "2026-11-21T09:00:00.000Z",
         *       "apiKey": "psk_live_0000000000000000000000000000000KzH5R"
         *     }
         */
        CreatedAccount: {
            id: components["schemas"]["Id"];
            email: components["schemas"]["Email"];
            plan: components["schemas"]["Plan"];
            /**
             * Format: date-time
             * @description When the account was created, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
            /**
             * @description The API key. It is shown this once and kept nowhere.
             * @example psk_live_0000000000000000000000000000000KzH5R
             */
            apiKey: string;
        };
        /**
         * @description One window of a limit. It is opened by the first request after the last one ended.
         * @example {
         *       "limit": 60,
         *       "remaining": 59,
         *       "resetsAt": "2026-11-21T09:01:00.000Z"
         *     }
         */
        RateLimitWindow: {
            /**
             * Format: int64
             * @description Requests in a window.
             * @example 60
             */
            limit: number;
            /**
             * Format: int64
             * @description Requests left in this one.
             * @example 59
             */
            remaining: number;
            /**
             * Format: date-time
             * @description When the limit is whole again, in UTC. Of a window that is not open yet, as if it were opened now.
             * @example 2026-11-21T09:01:00.000Z
             */
            resetsAt: string;
        };
        /**
         * @description A ban of the calling key.
         * @example {
         *       "until": "2026-11-21T09:15:00.000Z",
         *       "retryAfter": 900
         *     }
         */
        RateLimitBan: {
            /**
             * Format: date-time
             * @description When the ban ends, in UTC. Nothing prolongs it.
             * @example 2026-11-21T09:15:00.000Z
             */
            until: string;
            /**
             * Format: int32
             * @description The seconds until then.
             * @example 900
             */
            retryAfter: number;
        };
        /**
         * @description The limits of the calling account, and the ban of the calling key if there is one.
         * @example {
         *       "plan": "free",
         *       "minute": {
         *         "limit": 60,
         *         "remaining": 59,
         *         "resetsAt": "2026-11-21T09:01:00.000Z"
         *       },
         *       "day": {
         *         "limit": 1000,
         *         "remaining": 999,
         *         "resetsAt": "2026-11-22T09:00:00.000Z"
         *       }
         *     }
         */
        RateLimit: {
            plan: components["schemas"]["Plan"];
            minute: components["schemas"]["RateLimitWindow"];
            day: components["schemas"]["RateLimitWindow"];
            ban?: components["schemas"]["RateLimitBan"];
        };
        /**
         * @description The id of a message. Assigned when it is sent.
         * @example msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10
         */
        MessageId: string;
        /**
         * @description The text of a message. Everything but the character U+0000.
         * @example Rex has found a home.
         */
        MessageText: string;
        /**
         * @description A message to send.
         * @example {
         *       "message": "Rex has found a home."
         *     }
         */
        NewMessage: {
            message: components["schemas"]["MessageText"];
        };
        /**
         * @description What the webhook of an account gets for each message.
         * @example {
         *       "type": "message.created",
         *       "timestamp": "2026-11-21T09:00:00.000Z",
         *       "data": {
         *         "id": "msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10",
         *         "message": "Rex has found a home.",
         *         "createdAt": "2026-11-21T09:00:00.000Z"
         *       }
         *     }
         */
        MessageCreated: {
            /**
             * @description What has happened.
             * @example message.created
             * @enum {string}
             */
            type: "message.created";
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["DeliveredMessage"];
        };
        /**
         * @description A message, as it is delivered.
         * @example {
         *       "id": "msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10",
         *       "message": "Rex has found a home.",
         *       "createdAt": "2026-11-21T09:00:00.000Z"
         *     }
         */
        DeliveredMessage: {
            id: components["schemas"]["MessageId"];
            message: components["schemas"]["MessageText"];
            /**
             * Format: date-time
             * @description When the message was accepted, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
        };
        /**
         * @description Which messages are sent again.
         * @example {
         *       "since": "2026-11-21T09:00:00.000Z"
         *     }
         */
        NewReplay: {
            /**
             * Format: date-time
             * @description Those that were accepted at this time or later, and are `failed`.
             * @example 2026-11-21T09:00:00.000Z
             */
            since: string;
        };
        /**
         * @description What a replay has queued.
         * @example {
         *       "replayed": 2
         *     }
         */
        Replay: {
            /**
             * Format: int64
             * @description How many messages.
             * @example 2
             */
            replayed: number;
        };
        /**
         * @description How far a message is. `sent` is final, and `failed` is until the message is sent again.
         * @example queued
         * @enum {string}
         */
        MessageStatus: "queued" | "sent" | "failed";
        /**
         * @description A message and how far it is.
         * @example {
         *       "id": "msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10",
         *       "message": "Rex has found a home.",
         *       "status": "queued",
         *       "createdAt": "2026-11-21T09:00:00.000Z"
         *     }
         */
        Message: {
            id: components["schemas"]["MessageId"];
            message: components["schemas"]["MessageText"];
            status: components["schemas"]["MessageStatus"];
            /**
             * Format: date-time
             * @description When the message was accepted, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
        };
        /**
         * Format: uri
         * @description Where messages are delivered. Without user name, password or fragment.
         * @example https://example.com/hooks/petstore
         */
        WebhookUrl: string;
        /**
         * @description A webhook to set.
         * @example {
         *       "url": "https://example.com/hooks/petstore"
         *     }
         */
        NewWebhook: {
            url: components["schemas"]["WebhookUrl"];
        };
        /**
         * @description Where messages are delivered.
         * @example {
         *       "url": "https://example.com/hooks/petstore",
         *       "createdAt": "2026-11-21T09:00:00.000Z"
         *     }
         */
        Webhook: {
            url: components["schemas"]["WebhookUrl"];
            /**
             * Format: date-time
             * @description When the webhook was set, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
        };
        /**
         * @description Where messages are delivered, and the secret that signs them.
         * @example {
         *       "url": "https://example.com/hooks/petstore",
         *       "createdAt": "2026-11-21T09:00:00.000Z",
         *       "secret": "whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA="
         *     }
         */
        CreatedWebhook: {
            url: components["schemas"]["WebhookUrl"];
            /**
             * Format: date-time
             * @description When the webhook was set, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
            /**
             * @description The key of the signatures, in base64 after `whsec_`. It is shown this once.
             * @example whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=
             */
            secret: string;
        };
        /**
         * @description What the key is for, for people. No control characters.
         * @example Till 2
         */
        KeyName: string;
        /**
         * @description An API key to create.
         * @example {
         *       "name": "Till 2"
         *     }
         */
        NewApiKey: {
            name: components["schemas"]["KeyName"];
            /**
             * Format: date-time
             * @description The moment from which the key is refused, in the future. Without it the key has no end.
             * @example 2099-11-21T09:00:00.000Z
             */
            expiresAt?: string;
        };
        /**
         * @description How an API key is replaced.
         * @example {
         *       "gracePeriod": 3600
         *     }
         */
        KeyRotation: {
            /**
             * Format: int32
             * @description How long the old key stays valid, in seconds, a week at most. 0 revokes it at once.
             * @default 86400
             * @example 3600
             */
            gracePeriod?: number;
        };
        /**
         * @description What is known of an API key.
         * @example {
         *       "id": 1,
         *       "name": "First key",
         *       "prefix": "psk_live_0000",
         *       "createdAt": "2026-11-21T09:00:00.000Z",
         *       "lastUsedAt": "2026-11-21T09:30:00.000Z"
         *     }
         */
        ApiKey: {
            /** @description Assigned on creation. */
            id: components["schemas"]["Id"];
            name: components["schemas"]["KeyName"];
            /**
             * @description How the key begins, to tell keys apart.
             * @example psk_live_0000
             */
            prefix: string;
            /**
             * Format: date-time
             * @description When the key was created, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the key was last used, in UTC, to the minute. Absent if it never was.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastUsedAt?: string;
            /**
             * Format: date-time
             * @description The moment from which the key is refused, in UTC. Absent if it has no end.
             * @example 2027-11-21T09:00:00.000Z
             */
            expiresAt?: string;
            /** @description The key that took its place when it was rotated. This one is valid until `expiresAt`. */
            replacedBy?: components["schemas"]["Id"];
            /** @description What it is restricted to. Absent if it may do everything. */
            scopes?: string[];
        };
        /** @description API keys, oldest first. */
        ApiKeys: components["schemas"]["ApiKey"][];
        /**
         * @description What is known of a new API key, and the key.
         * @example {
         *       "id": 2,
         *       "name": "Till 2",
         *       "prefix": "psk_live_0000",
         *       "createdAt": "2026-11-21T09:00:00.000Z",
         *       "apiKey": "psk_live_0000000000000000000000000000000KzH5R"
         *     }
         */
        CreatedApiKey: {
            /** @description Assigned on creation. */
            id: components["schemas"]["Id"];
            name: components["schemas"]["KeyName"];
            /**
             * @description How the key begins, to tell keys apart.
             * @example psk_live_0000
             */
            prefix: string;
            /**
             * Format: date-time
             * @description When the key was created, in UTC.
             * @example 2026-11-21T09:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the key was last used, in UTC, to the minute. Absent if it never was.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastUsedAt?: string;
            /**
             * Format: date-time
             * @description The moment from which the key is refused, in UTC. Absent if it has no end.
             * @example 2027-11-21T09:00:00.000Z
             */
            expiresAt?: string;
            /** @description The key that took its place when it was rotated. This one is valid until `expiresAt`. */
            replacedBy?: components["schemas"]["Id"];
            /** @description What it is restricted to. Absent if it may do everything. */
            scopes?: string[];
            /**
             * @description The API key. It is shown this once and kept nowhere.
             * @example psk_live_0000000000000000000000000000000KzH5R
             */
            apiKey: string;
        };
        /**
         * @description A comma-separated list of entity tags, or `*` (RFC 9110, section 13.1).
         * @example "1"
         */
        ETags: string;
        /**
         * @description What went wrong, for programs.
         * @example invalid_request
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "invalid_json" | "unsupported_content_type" | "idempotency_key_reused" | "invalid_reference" | "invalid_webhook_url" | "invalid_image" | "unauthorized" | "insufficient_scope" | "not_found" | "method_not_allowed" | "request_timeout" | "out_of_stock" | "pet_sold" | "order_complete" | "pet_in_use" | "category_in_use" | "photo_quota" | "email_taken" | "key_limit" | "last_key" | "key_inactive" | "idempotency_key_in_use" | "gone" | "precondition_failed" | "body_too_large" | "range_not_satisfiable" | "expectation_failed" | "headers_too_large" | "rate_limited" | "api_key_banned" | "internal_error" | "not_implemented" | "service_unavailable";
        /**
         * @description What went wrong.
         * @example {
         *       "code": "invalid_request",
         *       "message": "query/limit must be <= 100",
         *       "status": 400,
         *       "errors": [
         *         {
         *           "location": "query",
         *           "pointer": "/limit",
         *           "code": "maximum",
         *           "message": "must be <= 100"
         *         }
         *       ]
         *     }
         */
        Error: {
            code: components["schemas"]["ErrorCode"];
            /**
             * @description What went wrong, for people. Names every problem with its location.
             * @example query/limit must be <= 100
             */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status code.
             * @example 400
             */
            status: number;
            /** @description The problems of a request, one by one; absent where the request itself was valid. */
            errors?: components["schemas"]["RequestProblem"][];
        };
        /** @description One value of a request that the contract does not allow. */
        RequestProblem: {
            /**
             * @description The part of the request.
             * @example query
             * @enum {string}
             */
            location: "body" | "query" | "path" | "header" | "cookie";
            /**
             * @description Where the value is in that part, as a JSON Pointer (RFC 6901); empty for the whole part.
             * @example /limit
             */
            pointer: string;
            /**
             * @description The keyword of JSON Schema that the value fails; `reference` for an id that does not exist, `invalid` for a value that could
             *     not be read.
             * @example maximum
             */
            code: string;
            /**
             * @description What is wrong with the value, for people.
             * @example must be <= 100
             */
            message: string;
        };
    };
    responses: {
        /** @description The record has not changed since the version named in `If-None-Match`. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request breaks the contract. The message names every problem with its location. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Stability": components["headers"]["StabilityOfSome"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "invalid_request",
                 *       "message": "query/limit must be <= 100",
                 *       "status": 400
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The request breaks the contract (`invalid_request`), its body is not JSON (`invalid_json`) or is not said to be
         *     (`unsupported_content_type`), or it refers to a record that does not exist (`invalid_reference`) or to an address
         *     that cannot be a webhook's (`invalid_webhook_url`), or is no image (`invalid_image`), or its `Idempotency-Key` was used for another request
         *     (`idempotency_key_reused`). The message names every problem with its location.
         */
        BadBody: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Stability": components["headers"]["StabilityOfSome"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "invalid_request",
                 *       "message": "body/categoryId must be integer",
                 *       "status": 400
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing or invalid. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "unauthorized",
                 *       "message": "send the API key as \"Authorization: Bearer <API_KEY>\"",
                 *       "status": 401
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key has scopes that the API key of the request lacks. */
        InsufficientScope: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /** @description What the API key lacks (RFC 6750, section 3.1). */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "insufficient_scope",
                 *       "message": "the API key is restricted to scopes, and key 1 is not: send a key without restrictions",
                 *       "status": 403
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such record in this account. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Stability": components["headers"]["StabilityOfSome"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "not_found",
                 *       "message": "there is no pet 7",
                 *       "status": 404
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description There are fewer units than ordered (`out_of_stock`), the pet is sold (`pet_sold`), or another request with the same
         *     `Idempotency-Key` is under way (`idempotency_key_in_use`).
         */
        NotOrderable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["RetryAfterIfInUse"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "out_of_stock",
                 *       "message": "pet 1 has fewer than 2 units in stock",
                 *       "status": 409
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Another request with the same `Idempotency-Key` is under way (`idempotency_key_in_use`). Send this one again, with the
         *     same key.
         */
        KeyInUse: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Stability": components["headers"]["StabilityOfSome"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "idempotency_key_in_use",
                 *       "message": "another request with this header/Idempotency-Key is under way: retry with the same key",
                 *       "status": 409
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The record is not of a version that `If-Match` names, or of one that `If-None-Match` does. Nothing was done. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Stability": components["headers"]["StabilityOfSome"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "precondition_failed",
                 *       "message": "the record is not as header/If-Match or header/If-None-Match asks for",
                 *       "status": 412
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Stability": components["headers"]["StabilityOfSome"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "body_too_large",
                 *       "message": "the body is larger than 65536 bytes",
                 *       "status": 413
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description A limit is exceeded (`rate_limited`), or the key is banned because it went on regardless (`api_key_banned`). Come
         *     back after `Retry-After` seconds.
         */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "rate_limited",
                 *       "message": "the limit of 60 requests a minute is used up; retry in 12 s",
                 *       "status": 429
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server failed. The cause is in its log under the request's id. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Stability": components["headers"]["StabilityOfSome"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "internal_error",
                 *       "message": "internal error",
                 *       "status": 500
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server cannot reach its database, or is not ready yet. Try again after `Retry-After` seconds. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Stability": components["headers"]["StabilityOfSome"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "service_unavailable",
                 *       "message": "the database does not answer",
                 *       "status": 503
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The pet.
         * @example 1
         */
        PetId: components["schemas"]["Id"];
        /**
         * @description The category.
         * @example 1
         */
        CategoryId: components["schemas"]["Id"];
        /**
         * @description The order.
         * @example 1
         */
        OrderId: components["schemas"]["Id"];
        /**
         * @description The photo.
         * @example 1
         */
        PhotoId: components["schemas"]["Id"];
        /**
         * @description The message.
         * @example msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10
         */
        MessageId: components["schemas"]["MessageId"];
        /**
         * @description The API key.
         * @example 2
         */
        KeyId: components["schemas"]["Id"];
        /**
         * @description Only pets of this status. May be repeated: `?status=available&status=pending`.
         * @example [
         *       "available"
         *     ]
         */
        Statuses: components["schemas"]["PetStatus"][];
        /**
         * @description How many records a page has at the most.
         * @example 20
         */
        Limit: number;
        /**
         * @description Where the page starts. Take it from the `Link` header of the page before; its form may change.
         * @example djE6MjA
         */
        Cursor: string;
        /**
         * @description Act only if the record's `ETag` is one of these (`*` for any).
         * @example "1"
         */
        IfMatch: components["schemas"]["ETags"];
        /**
         * @description Act only if the record's `ETag` is none of these (`*`, only if there is no record).
         * @example "1"
         */
        IfNoneMatchOfWrite: components["schemas"]["ETags"];
        /**
         * @description Answer with the record only if its `ETag` is none of these.
         * @example "1"
         */
        IfNoneMatch: components["schemas"]["ETags"];
        /**
         * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
         *     one that nobody can guess, such as a UUID, for each thing that is to be done.
         * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description The answer is that of an earlier request with the same `Idempotency-Key`; nothing was done now. */
        "Idempotent-Replayed": "true";
        /** @description The id of this request, in the server's log too. Taken from the request if it has a usable one. */
        "X-Request-Id": string;
        /** @description Where the new record is read. */
        Location: string;
        /** @description The version of the record (RFC 9110, section 8.8.3). */
        ETag: string;
        /** @description Which bytes are sent, and of how many (RFC 9110, section 14.4). */
        "Content-Range": string;
        /** @description That parts are served (RFC 9110, section 14.3). */
        "Accept-Ranges": "bytes";
        /** @description The name under which a browser saves it, and that it shows it (RFC 6266). */
        "Content-Disposition": string;
        /** @description What a browser may do with it, which is nothing but to show it. */
        "Content-Security-Policy": "default-src 'none'; sandbox";
        /** @description The next page (`rel="next"`, RFC 8288). Absent on the last page. */
        NextLink: string;
        /** @description Since when the operation is deprecated, as a structured-field date (RFC 9745). */
        Deprecation: string;
        /** @description As `Deprecation`. Absent if the server failed before it looked at the operation. */
        DeprecationIfKnown: string;
        /** @description When the operation ends (RFC 8594). */
        Sunset: string;
        /** @description As `Sunset`. Absent if the server failed before it looked at the operation. */
        SunsetIfKnown: string;
        /** @description What to call instead (`rel="successor-version"`, RFC 5829). */
        SuccessorLink: string;
        /** @description As `Link`. Absent if the server failed before it looked at the operation. */
        SuccessorLinkIfKnown: string;
        /** @description How far the operation may still change. */
        "X-Stability": "experimental" | "beta";
        /**
         * @description How far the operation may still change. Only on operations that declare `X-Stability` for their success, and not
         *     on an error from before the operation was looked at.
         */
        StabilityOfSome: "experimental" | "beta";
        /** @description Seconds to wait before the next try. */
        "Retry-After": number;
        /** @description Seconds to wait before the next try. Only with `idempotency_key_in_use`. */
        RetryAfterIfInUse: number;
        /**
         * @description The limit that applies: of the two windows, minute and day, the one with the fewest requests left, on a tie the
         *     longer.
         */
        "X-RateLimit-Limit": number;
        /** @description Requests left in that window. */
        "X-RateLimit-Remaining": number;
        /** @description When the limit resets, in Unix seconds. */
        "X-RateLimit-Reset": number;
        /**
         * @description What is left of each window (`r`) and in how many seconds it is whole again (`t`), as a structured field of
         *     draft-ietf-httpapi-ratelimit-headers-11.
         */
        RateLimit: string;
        /** @description The quota of each window (`q`) and its length in seconds (`w`), as a structured field of the same draft. */
        "RateLimit-Policy": string;
        /** @description How to authenticate (RFC 6750, section 3). */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPets: {
        parameters: {
            query?: {
                /**
                 * @description Only pets of this status. May be repeated: `?status=available&status=pending`.
                 * @example [
                 *       "available"
                 *     ]
                 */
                status?: components["parameters"]["Statuses"];
                /**
                 * @description Only pets of this category.
                 * @example 1
                 */
                categoryId?: components["schemas"]["Id"];
                /**
                 * @description How many records a page has at the most.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Where the page starts. Take it from the `Link` header of the page before; its form may change.
                 * @example djE6MjA
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of pets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "Rex",
                     *         "categoryId": 1,
                     *         "status": "available"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Pets"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Rex",
                 *       "categoryId": 1
                 *     }
                 */
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The pet as it was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Rex",
                     *       "categoryId": 1,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["SuccessorLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Rex",
                     *       "categoryId": 1,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The pet has not changed since the version named in `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["SuccessorLink"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request breaks the contract. The message names every problem with its location. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["SuccessorLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid_request",
                     *       "message": "path/petId must be integer",
                     *       "status": 400
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["SuccessorLink"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "message": "send the API key as \"Authorization: Bearer <API_KEY>\"",
                     *       "status": 401
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such pet in this account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["SuccessorLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "message": "there is no pet 7",
                     *       "status": 404
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The sunset has passed. The operation is gone; `Link` names its successor. */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["SuccessorLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "gone",
                     *       "message": "this operation ended on 2027-12-31; use GET /store/pets/{petId}",
                     *       "status": 410
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description A limit is exceeded (`rate_limited`), or the key is banned because it went on regardless (`api_key_banned`). Come
             *     back after `Retry-After` seconds.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["SuccessorLink"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "message": "the limit of 60 requests a minute is used up; retry in 12 s",
                     *       "status": 429
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed. The cause is in its log under the request's id. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Deprecation: components["headers"]["DeprecationIfKnown"];
                    Sunset: components["headers"]["SunsetIfKnown"];
                    Link: components["headers"]["SuccessorLinkIfKnown"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal_error",
                     *       "message": "internal error",
                     *       "status": 500
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server cannot reach its database, or is not ready yet. Try again after `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Deprecation: components["headers"]["DeprecationIfKnown"];
                    Sunset: components["headers"]["SunsetIfKnown"];
                    Link: components["headers"]["SuccessorLinkIfKnown"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "service_unavailable",
                     *       "message": "the database does not answer",
                     *       "status": 503
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replacePet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Act only if the record's `ETag` is none of these (`*`, only if there is no record).
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchOfWrite"];
            };
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Rex",
                 *       "categoryId": 1,
                 *       "status": "pending"
                 *     }
                 */
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The pet as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Rex",
                     *       "categoryId": 1,
                     *       "status": "pending"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description The pet has open orders (`pet_in_use`). */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "pet_in_use",
                     *       "message": "pet 1 has open orders",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updatePet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "pending"
                 *     }
                 */
                "application/json": components["schemas"]["PetPatch"];
                /**
                 * @example {
                 *       "status": "pending"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["PetPatch"];
            };
        };
        responses: {
            /** @description The pet as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Rex",
                     *       "categoryId": 1,
                     *       "status": "pending"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /**
                 * @description How many records a page has at the most.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Where the page starts. Take it from the `Link` header of the page before; its form may change.
                 * @example djE6MjA
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of categories. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "Dogs",
                     *         "description": "Loyal and loud."
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Categories"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Dogs",
                 *       "description": "Loyal and loud."
                 *     }
                 */
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description The category as it was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Dogs",
                     *       "description": "Loyal and loud."
                     *     }
                     */
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The category.
                 * @example 1
                 */
                categoryId: components["parameters"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Dogs",
                     *       "description": "Loyal and loud."
                     *     }
                     */
                    "application/json": components["schemas"]["Category"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Act only if the record's `ETag` is none of these (`*`, only if there is no record).
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchOfWrite"];
            };
            path: {
                /**
                 * @description The category.
                 * @example 1
                 */
                categoryId: components["parameters"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Dogs"
                 *     }
                 */
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description The category as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Dogs"
                     *     }
                     */
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The category.
                 * @example 1
                 */
                categoryId: components["parameters"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description The category still has pets (`category_in_use`). */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "category_in_use",
                     *       "message": "category 1 still has pets",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The category.
                 * @example 1
                 */
                categoryId: components["parameters"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": null
                 *     }
                 */
                "application/json": components["schemas"]["CategoryPatch"];
                /**
                 * @example {
                 *       "description": null
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["CategoryPatch"];
            };
        };
        responses: {
            /** @description The category as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Dogs"
                     *     }
                     */
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStorePet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Rex",
                     *       "categoryId": 1,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPhotos: {
        parameters: {
            query?: {
                /**
                 * @description How many records a page has at the most.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Where the page starts. Take it from the `Link` header of the page before; its form may change.
                 * @example djE6MjA
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of photos. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["NextLink"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "petId": 1,
                     *         "type": "image/png",
                     *         "size": 70,
                     *         "caption": "In the garden",
                     *         "createdAt": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Photos"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPhoto: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description A photo to upload. */
                    $fields: {
                        caption?: components["schemas"]["PhotoCaption"];
                    };
                    $files: {
                        photo: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description What is known of the photo. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "petId": 1,
                     *       "type": "image/png",
                     *       "size": 70,
                     *       "caption": "In the garden",
                     *       "createdAt": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Photo"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description The photos of the account would have more than 50 MiB in all (`photo_quota`). Delete some. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "photo_quota",
                     *       "message": "the photos of the account would be larger than 50 MiB in all: delete some",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The photo is larger than 5 MiB, or the rest of the body than 64 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_too_large",
                     *       "message": "body/photo is larger than 5242880 bytes",
                     *       "status": 413
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPhoto: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description The part to send (RFC 9110, section 14.2). One that is malformed, or whose end is before its start, is ignored.
                 * @example bytes=0-
                 */
                Range?: string;
                /**
                 * @description The `ETag` of the part that the client has. If the photo is another one, it is sent as a whole.
                 * @example "fLRLr_dHFCfm7cRaJCX1MQ9Q7U6DNfmQ0G8l4Cqq3fA"
                 */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
                /**
                 * @description The photo.
                 * @example 1
                 */
                photoId: components["parameters"]["PhotoId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The photo. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "X-Stability": components["headers"]["X-Stability"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": components["schemas"]["PhotoBytes"];
                    "image/png": components["schemas"]["PhotoBytes"];
                    "image/gif": components["schemas"]["PhotoBytes"];
                    "image/webp": components["schemas"]["PhotoBytes"];
                };
            };
            /** @description A part of the photo. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Stability": components["headers"]["X-Stability"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": components["schemas"]["PhotoBytes"];
                    "image/png": components["schemas"]["PhotoBytes"];
                    "image/gif": components["schemas"]["PhotoBytes"];
                    "image/webp": components["schemas"]["PhotoBytes"];
                };
            };
            /** @description The photo is the one named in `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "X-Stability": components["headers"]["X-Stability"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            /** @description The photo does not have these bytes, or there are several ranges. */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Stability": components["headers"]["X-Stability"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "range_not_satisfiable",
                     *       "message": "header/Range is not within the 70 bytes",
                     *       "status": 416
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePhoto: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
                /**
                 * @description The photo.
                 * @example 1
                 */
                photoId: components["parameters"]["PhotoId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The photo is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description Only orders of this pet.
                 * @example 1
                 */
                petId?: components["schemas"]["Id"];
                /**
                 * @description Only orders that are (`true`) or are not yet (`false`) fulfilled.
                 * @example false
                 */
                complete?: boolean;
                /**
                 * @description How many records a page has at the most.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Where the page starts. Take it from the `Link` header of the page before; its form may change.
                 * @example djE6MjA
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of orders. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "petId": 1,
                     *         "quantity": 2,
                     *         "shipDate": "2026-12-24T12:00:00.000Z",
                     *         "complete": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Orders"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "petId": 1,
                 *       "quantity": 2
                 *     }
                 */
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description The order as it was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "petId": 1,
                     *       "quantity": 2,
                     *       "complete": false
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["NotOrderable"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The order.
                 * @example 1
                 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "petId": 1,
                     *       "quantity": 2,
                     *       "complete": false
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The order.
                 * @example 1
                 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description The order is complete (`order_complete`). */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "order_complete",
                     *       "message": "order 1 is complete",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The order.
                 * @example 1
                 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quantity": 1
                 *     }
                 */
                "application/json": components["schemas"]["OrderPatch"];
                /**
                 * @example {
                 *       "quantity": 1
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["OrderPatch"];
            };
        };
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "petId": 1,
                     *       "quantity": 1,
                     *       "complete": false
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /**
             * @description There is too little stock (`out_of_stock`), the pet is sold and no more of it can be ordered (`pet_sold`), or
             *     the order is complete and can neither be reopened nor changed (`order_complete`).
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "order_complete",
                     *       "message": "order 1 is complete",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInventory: {
        parameters: {
            query?: {
                /**
                 * @description Only pets of this status. May be repeated: `?status=available&status=pending`.
                 * @example [
                 *       "available"
                 *     ]
                 */
                status?: components["parameters"]["Statuses"];
                /**
                 * @description How many records a page has at the most.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Where the page starts. Take it from the `Link` header of the page before; its form may change.
                 * @example djE6MjA
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the inventory. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["NextLink"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "petId": 1,
                     *         "quantity": 10,
                     *         "status": "available"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listenToInventory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `id` of the last event that was received.
                 * @example 41
                 */
                "Last-Event-ID"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, without an end. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Stability": components["headers"]["X-Stability"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        $items: components["schemas"]["InventoryEvent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInventory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The inventory entry. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "petId": 1,
                     *       "quantity": 10,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["InventoryItem"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setInventory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Act only if the record's `ETag` is none of these (`*`, only if there is no record).
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchOfWrite"];
            };
            path: {
                /**
                 * @description The pet.
                 * @example 1
                 */
                petId: components["parameters"]["PetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quantity": 10
                 *     }
                 */
                "application/json": components["schemas"]["InventoryUpdate"];
            };
        };
        responses: {
            /** @description The inventory entry as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "petId": 1,
                     *       "quantity": 10,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["InventoryItem"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            /** @description The account and its first API key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "email": "ada@example.com",
                     *       "plan": "free",
                     *       "createdAt": "2026-11-21T09:00:00.000Z",
                     *       "apiKey": "psk_live_0000000000000000000000000000000KzH5R"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedAccount"];
                };
            };
            400: components["responses"]["BadBody"];
            /**
             * @description There is an account with this email address (`email_taken`), or another request with the same `Idempotency-Key` is
             *     under way (`idempotency_key_in_use`).
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["RetryAfterIfInUse"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "email_taken",
                     *       "message": "there is an account with this email address",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestSignUp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            /** @description The mail is queued. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadBody"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmSignUp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpConfirmation"];
            };
        };
        responses: {
            /** @description The account and its first API key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAccount"];
                };
            };
            400: components["responses"]["BadBody"];
            /**
             * @description There is an account with this email address (`email_taken`), or another request with the same `Idempotency-Key` is
             *     under way (`idempotency_key_in_use`).
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["RetryAfterIfInUse"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "email_taken",
                     *       "message": "there is an account with this email address",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "email": "ada@example.com",
                     *       "plan": "free",
                     *       "createdAt": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRateLimit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan": "free",
                     *       "minute": {
                     *         "limit": 60,
                     *         "remaining": 59,
                     *         "resetsAt": "2026-11-21T09:01:00.000Z"
                     *       },
                     *       "day": {
                     *         "limit": 1000,
                     *         "remaining": 999,
                     *         "resetsAt": "2026-11-22T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RateLimit"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Rex has found a home."
                 *     }
                 */
                "application/json": components["schemas"]["NewMessage"];
            };
        };
        responses: {
            /** @description The message is queued. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10",
                     *       "message": "Rex has found a home.",
                     *       "status": "queued",
                     *       "createdAt": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayMessages: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-21T09:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewReplay"];
            };
        };
        responses: {
            /** @description The messages are queued. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayed": 2
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The message.
                 * @example msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10
                 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10",
                     *       "message": "Rex has found a home.",
                     *       "status": "sent",
                     *       "createdAt": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://example.com/hooks/petstore",
                     *       "createdAt": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Act only if the record's `ETag` is none of these (`*`, only if there is no record).
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchOfWrite"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/petstore"
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook and its secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://example.com/hooks/petstore",
                     *       "createdAt": "2026-11-21T09:00:00.000Z",
                     *       "secret": "whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA="
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description How many records a page has at the most.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Where the page starts. Take it from the `Link` header of the page before; its form may change.
                 * @example djE6MjA
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of API keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "First key",
                     *         "prefix": "psk_live_0000",
                     *         "createdAt": "2026-11-21T09:00:00.000Z",
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ApiKeys"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Till 2"
                 *     }
                 */
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description What is known of the key, and the key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 2,
                     *       "name": "Till 2",
                     *       "prefix": "psk_live_0000",
                     *       "createdAt": "2026-11-21T09:00:00.000Z",
                     *       "apiKey": "psk_live_0000000000000000000000000000000KzH5R"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description The account has 100 valid keys (`key_limit`), the key would have expired already (`key_inactive`), or another
             *     request with the same `Idempotency-Key` is under way (`idempotency_key_in_use`).
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["RetryAfterIfInUse"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "key_limit",
                     *       "message": "the account has 100 valid keys",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: requests of an account with the same key have one effect, and one answer for 24 hours. Use a new
                 *     one that nobody can guess, such as a UUID, for each thing that is to be done.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The API key.
                 * @example 2
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gracePeriod": 3600
                 *     }
                 */
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            /** @description What is known of the new key, and the new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 2,
                     *       "name": "Till 2",
                     *       "prefix": "psk_live_0000",
                     *       "createdAt": "2026-11-21T09:00:00.000Z",
                     *       "apiKey": "psk_live_0000000000000000000000000000000KzH5R"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The key has expired or has been replaced already (`key_inactive`), the account has 100 valid keys (`key_limit`;
             *     a grace period of 0 needs no room), or another request with the same `Idempotency-Key` is under way
             *     (`idempotency_key_in_use`).
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["RetryAfterIfInUse"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "key_inactive",
                     *       "message": "key 1 has been replaced",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer with the record only if its `ETag` is none of these.
                 * @example "1"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The API key.
                 * @example 2
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is known of the key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "First key",
                     *       "prefix": "psk_live_0000",
                     *       "createdAt": "2026-11-21T09:00:00.000Z",
                     *       "lastUsedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Act only if the record's `ETag` is one of these (`*` for any).
                 * @example "1"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The API key.
                 * @example 2
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /** @description It is the account's last valid key (`last_key`). */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "last_key",
                     *       "message": "key 1 is the account's last valid key",
                     *       "status": 409
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}

/** Where the bodies of requests have defaults. */
export interface bodyDefaults {
  "createPet": { "application/json": schemaDefaults["#/components/schemas/NewPet"] };
  "replacePet": { "application/json": schemaDefaults["#/components/schemas/NewPet"] };
  "createOrder": { "application/json": schemaDefaults["#/components/schemas/NewOrder"] };
  "rotateKey": { "application/json": schemaDefaults["#/components/schemas/KeyRotation"] };
}

/** Where the schemas that `bodyDefaults` refers to have defaults. */
export interface schemaDefaults {
  "#/components/schemas/NewPet": { "defaults": { "status": true } };
  "#/components/schemas/NewOrder": { "defaults": { "complete": true } };
  "#/components/schemas/KeyRotation": { "defaults": { "gracePeriod": true } };
}
