/**
 * A client of Pet Store API. Generated from the spec by `npx specwright client`. Do not edit: change the spec.
 *
 * const client = createClient({ baseUrl, credentials });
 * const reply = await client.OPERATION(...): narrow it by `status` or `ok`, or take `(await orThrow(reply)).body`.
 */

import type { operations } from './openapi.ts';

/**
 * Format: int64
 * @description An identifier: a whole number from 1 to 9007199254740991, the largest that every JSON reader keeps exactly.
 * @example 1
 */
export type IdSchema = number;
/**
 * @description The sales status of a pet. The last unit reserved makes it `pending`, one released `available` again, and the
 *     last order completed when none is left `sold`. A pet that is `sold` cannot be ordered, whatever its stock.
 * @example available
 * @enum {string}
 */
export type PetStatus = "available" | "pending" | "sold";
/**
 * @description The animal's name. No control characters.
 * @example Rex
 */
export type PetName = string;
/**
 * @description A pet to create, or to replace another with.
 * @example {
 *       "name": "Rex",
 *       "categoryId": 1,
 *       "status": "available"
 *     }
 */
export type NewPet = {
    name: PetName;
    /** @description The category the animal belongs to. */
    categoryId: IdSchema;
    /**
     * @description The sales status.
     * @default available
     */
    status?: PetStatus;
};
/**
 * @description Changes to a pet (RFC 7396).
 * @example {
 *       "status": "pending"
 *     }
 */
export type PetPatch = {
    name?: PetName;
    categoryId?: IdSchema;
    status?: PetStatus;
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
export type Pet = {
    /** @description Assigned on creation. */
    id: IdSchema;
    name: PetName;
    /** @description The category the animal belongs to. */
    categoryId: IdSchema;
    status?: PetStatus;
};
/** @description Pets, oldest first. */
export type Pets = Pet[];
/**
 * @description What is in the photo. No control characters.
 * @example In the garden
 */
export type PhotoCaption = string;
/** @description A photo to upload. */
export type NewPhoto = {
    caption?: PhotoCaption;
    photo: PhotoBytes;
};
/**
 * Format: binary
 * @description The bytes of an image.
 */
export type PhotoBytes = string;
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
export type Photo = {
    /** @description Assigned on creation. */
    id: IdSchema;
    /** @description The animal in the photo. */
    petId: IdSchema;
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
    caption?: PhotoCaption;
    /**
     * Format: date-time
     * @description When the photo was uploaded, in UTC.
     * @example 2026-11-21T09:00:00.000Z
     */
    createdAt: string;
};
/** @description Photos, oldest first. */
export type Photos = Photo[];
/**
 * @description A kind of animal. No control characters.
 * @example Dogs
 */
export type CategoryName = string;
/**
 * @description A category to create, or to replace another with.
 * @example {
 *       "name": "Dogs",
 *       "description": "Loyal and loud."
 *     }
 */
export type NewCategory = {
    name: CategoryName;
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
export type CategoryPatch = {
    name?: CategoryName;
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
export type Category = {
    /** @description Assigned on creation. */
    id: IdSchema;
    name: CategoryName;
    /**
     * @description A short description.
     * @example Loyal and loud.
     */
    description?: string;
};
/** @description Categories, oldest first. */
export type Categories = Category[];
/**
 * @description An order to create. No field is required.
 * @example {
 *       "petId": 1,
 *       "quantity": 2
 *     }
 */
export type NewOrder = {
    /** @description The pet to order. Its units are reserved at once. */
    petId?: IdSchema;
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
export type OrderPatch = {
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
export type Order = {
    /** @description Assigned on creation. */
    id?: IdSchema;
    /** @description The animal in the order. */
    petId?: IdSchema;
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
export type Orders = Order[];
/**
 * @description The stock of a pet.
 * @example {
 *       "petId": 1,
 *       "quantity": 10,
 *       "status": "available"
 *     }
 */
export type InventoryItem = {
    /** @description The animal the entry tracks. */
    petId: IdSchema;
    /**
     * Format: int64
     * @description The units that can still be ordered.
     * @example 10
     */
    quantity: number;
    status: PetStatus;
};
/** @description Inventory entries, oldest pet first. */
export type Inventory = InventoryItem[];
/**
 * @description The number of the event. Those of an account have no gaps.
 * @example 42
 */
export type InventoryEventId = string;
/** @description A change of the stock, or the need to read it again. */
export type InventoryEvent = InventoryChanged | InventoryRemoved | InventoryReset;
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
export type InventoryChanged = {
    id: InventoryEventId;
    /**
     * @description What has happened.
     * @example changed
     * @enum {string}
     */
    event: "changed";
    data: InventoryItem;
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
export type InventoryRemoved = {
    id: InventoryEventId;
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
        petId: IdSchema;
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
export type InventoryReset = {
    id: InventoryEventId;
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
export type InventoryUpdate = {
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
export type Plan = "free" | "pro" | "business" | "enterprise";
/**
 * Format: email
 * @description An email address. Upper and lower case make no difference.
 * @example ada@example.com
 */
export type Email = string;
/**
 * @description An account to create.
 * @example {
 *       "email": "ada@example.com"
 *     }
 */
export type NewAccount = {
    email: Email;
};
/**
 * @description What confirms a sign-up.
 * @example {
 *       "token": "WyJhZGFAZXhhbXBsZS5jb20iLDFd.c2lnbmF0dXJl"
 *     }
 */
export type SignUpConfirmation = {
    token: SignUpToken;
};
/**
 * @description The token of a mail.
 * @example WyJhZGFAZXhhbXBsZS5jb20iLDFd.c2lnbmF0dXJl
 */
export type SignUpToken = string;
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
export type SignUpRequested = {
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
    data: RequestedSignUp;
};
/**
 * @description A sign-up whose mail is to be sent.
 * @example {
 *       "email": "ada@example.com",
 *       "token": "WyJhZGFAZXhhbXBsZS5jb20iLDFd.c2lnbmF0dXJl",
 *       "expiresAt": "2026-11-22T09:00:00.000Z"
 *     }
 */
export type RequestedSignUp = {
    email: Email;
    token: SignUpToken;
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
export type Account = {
    id: IdSchema;
    email: Email;
    plan: Plan;
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
export type CreatedAccount = {
    id: IdSchema;
    email: Email;
    plan: Plan;
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
export type RateLimitWindow = {
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
export type RateLimitBan = {
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
export type RateLimit = {
    plan: Plan;
    minute: RateLimitWindow;
    day: RateLimitWindow;
    ban?: RateLimitBan;
};
/**
 * @description The id of a message. Assigned when it is sent.
 * @example msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10
 */
export type MessageId = string;
/**
 * @description The text of a message. Everything but the character U+0000.
 * @example Rex has found a home.
 */
export type MessageText = string;
/**
 * @description A message to send.
 * @example {
 *       "message": "Rex has found a home."
 *     }
 */
export type NewMessage = {
    message: MessageText;
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
export type MessageCreated = {
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
    data: DeliveredMessage;
};
/**
 * @description A message, as it is delivered.
 * @example {
 *       "id": "msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10",
 *       "message": "Rex has found a home.",
 *       "createdAt": "2026-11-21T09:00:00.000Z"
 *     }
 */
export type DeliveredMessage = {
    id: MessageId;
    message: MessageText;
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
export type NewReplay = {
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
export type Replay = {
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
export type MessageStatus = "queued" | "sent" | "failed";
/**
 * @description A message and how far it is.
 * @example {
 *       "id": "msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10",
 *       "message": "Rex has found a home.",
 *       "status": "queued",
 *       "createdAt": "2026-11-21T09:00:00.000Z"
 *     }
 */
export type Message = {
    id: MessageId;
    message: MessageText;
    status: MessageStatus;
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
export type WebhookUrl = string;
/**
 * @description A webhook to set.
 * @example {
 *       "url": "https://example.com/hooks/petstore"
 *     }
 */
export type NewWebhook = {
    url: WebhookUrl;
};
/**
 * @description Where messages are delivered.
 * @example {
 *       "url": "https://example.com/hooks/petstore",
 *       "createdAt": "2026-11-21T09:00:00.000Z"
 *     }
 */
export type Webhook = {
    url: WebhookUrl;
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
export type CreatedWebhook = {
    url: WebhookUrl;
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
export type KeyName = string;
/**
 * @description An API key to create.
 * @example {
 *       "name": "Till 2"
 *     }
 */
export type NewApiKey = {
    name: KeyName;
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
export type KeyRotation = {
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
export type ApiKey = {
    /** @description Assigned on creation. */
    id: IdSchema;
    name: KeyName;
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
    replacedBy?: IdSchema;
    /** @description What it is restricted to. Absent if it may do everything. */
    scopes?: string[];
};
/** @description API keys, oldest first. */
export type ApiKeys = ApiKey[];
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
export type CreatedApiKey = {
    /** @description Assigned on creation. */
    id: IdSchema;
    name: KeyName;
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
    replacedBy?: IdSchema;
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
export type ETags = string;
/**
 * @description What went wrong, for programs.
 * @example invalid_request
 * @enum {string}
 */
export type ErrorCode = "invalid_request" | "invalid_json" | "unsupported_content_type" | "idempotency_key_reused" | "invalid_reference" | "invalid_webhook_url" | "invalid_image" | "unauthorized" | "insufficient_scope" | "not_found" | "method_not_allowed" | "request_timeout" | "out_of_stock" | "pet_sold" | "order_complete" | "pet_in_use" | "category_in_use" | "photo_quota" | "email_taken" | "key_limit" | "last_key" | "key_inactive" | "idempotency_key_in_use" | "gone" | "precondition_failed" | "body_too_large" | "range_not_satisfiable" | "expectation_failed" | "headers_too_large" | "rate_limited" | "api_key_banned" | "internal_error" | "not_implemented" | "service_unavailable";
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
export type ErrorSchema = {
    code: ErrorCode;
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
    errors?: RequestProblem[];
};
/** @description One value of a request that the contract does not allow. */
export type RequestProblem = {
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
/** The named schemas, as clients send them. */
export interface Schemas {
  "Id": IdSchema;
  "PetStatus": PetStatus;
  "PetName": PetName;
  "NewPet": NewPet;
  "PetPatch": PetPatch;
  "Pet": Pet;
  "Pets": Pets;
  "PhotoCaption": PhotoCaption;
  "NewPhoto": NewPhoto;
  "PhotoBytes": PhotoBytes;
  "Photo": Photo;
  "Photos": Photos;
  "CategoryName": CategoryName;
  "NewCategory": NewCategory;
  "CategoryPatch": CategoryPatch;
  "Category": Category;
  "Categories": Categories;
  "NewOrder": NewOrder;
  "OrderPatch": OrderPatch;
  "Order": Order;
  "Orders": Orders;
  "InventoryItem": InventoryItem;
  "Inventory": Inventory;
  "InventoryEventId": InventoryEventId;
  "InventoryEvent": InventoryEvent;
  "InventoryChanged": InventoryChanged;
  "InventoryRemoved": InventoryRemoved;
  "InventoryReset": InventoryReset;
  "InventoryUpdate": InventoryUpdate;
  "Plan": Plan;
  "Email": Email;
  "NewAccount": NewAccount;
  "SignUpConfirmation": SignUpConfirmation;
  "SignUpToken": SignUpToken;
  "SignUpRequested": SignUpRequested;
  "RequestedSignUp": RequestedSignUp;
  "Account": Account;
  "CreatedAccount": CreatedAccount;
  "RateLimitWindow": RateLimitWindow;
  "RateLimitBan": RateLimitBan;
  "RateLimit": RateLimit;
  "MessageId": MessageId;
  "MessageText": MessageText;
  "NewMessage": NewMessage;
  "MessageCreated": MessageCreated;
  "DeliveredMessage": DeliveredMessage;
  "NewReplay": NewReplay;
  "Replay": Replay;
  "MessageStatus": MessageStatus;
  "Message": Message;
  "WebhookUrl": WebhookUrl;
  "NewWebhook": NewWebhook;
  "Webhook": Webhook;
  "CreatedWebhook": CreatedWebhook;
  "KeyName": KeyName;
  "NewApiKey": NewApiKey;
  "KeyRotation": KeyRotation;
  "ApiKey": ApiKey;
  "ApiKeys": ApiKeys;
  "CreatedApiKey": CreatedApiKey;
  "ETags": ETags;
  "ErrorCode": ErrorCode;
  "Error": ErrorSchema;
  "RequestProblem": RequestProblem;
}
export type ListPetsInput = { readonly query?: Given<NonNullable<operations["listPets"]['parameters']["query"]>> | undefined };
export type CreatePetBody = NewPet;
export type CreatePetInput = { readonly headers?: Given<Omit<NonNullable<operations["createPet"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: CreatePetBody };
export type GetPetInput = { readonly path: Given<NonNullable<operations["getPet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getPet"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type ReplacePetBody = NewPet;
export type ReplacePetInput = { readonly path: Given<NonNullable<operations["replacePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["replacePet"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: ReplacePetBody };
export type DeletePetInput = { readonly path: Given<NonNullable<operations["deletePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["deletePet"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type UpdatePetBody = PetPatch;
export type UpdatePetInput = { readonly path: Given<NonNullable<operations["updatePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updatePet"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType?: "application/json" | undefined; readonly body: UpdatePetBody } | { readonly path: Given<NonNullable<operations["updatePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updatePet"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType: "application/merge-patch+json"; readonly body: UpdatePetBody };
export type ListCategoriesInput = { readonly query?: Given<NonNullable<operations["listCategories"]['parameters']["query"]>> | undefined };
export type CreateCategoryBody = NewCategory;
export type CreateCategoryInput = { readonly headers?: Given<Omit<NonNullable<operations["createCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: CreateCategoryBody };
export type GetCategoryInput = { readonly path: Given<NonNullable<operations["getCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type ReplaceCategoryBody = NewCategory;
export type ReplaceCategoryInput = { readonly path: Given<NonNullable<operations["replaceCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["replaceCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: ReplaceCategoryBody };
export type DeleteCategoryInput = { readonly path: Given<NonNullable<operations["deleteCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["deleteCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type UpdateCategoryBody = CategoryPatch;
export type UpdateCategoryInput = { readonly path: Given<NonNullable<operations["updateCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updateCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType?: "application/json" | undefined; readonly body: UpdateCategoryBody } | { readonly path: Given<NonNullable<operations["updateCategory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updateCategory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType: "application/merge-patch+json"; readonly body: UpdateCategoryBody };
export type GetStorePetInput = { readonly path: Given<NonNullable<operations["getStorePet"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getStorePet"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type ListPhotosInput = { readonly path: Given<NonNullable<operations["listPhotos"]['parameters']["path"]>>; readonly query?: Given<NonNullable<operations["listPhotos"]['parameters']["query"]>> | undefined };
export type CreatePhotoBody = FormData | ({
    caption?: PhotoCaption;
} & {
    photo: SentFile;
});
export type CreatePhotoInput = { readonly path: Given<NonNullable<operations["createPhoto"]['parameters']["path"]>>; readonly body: CreatePhotoBody };
export type GetPhotoInput = { readonly path: Given<NonNullable<operations["getPhoto"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getPhoto"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type DeletePhotoInput = { readonly path: Given<NonNullable<operations["deletePhoto"]['parameters']["path"]>> };
export type ListOrdersInput = { readonly query?: Given<NonNullable<operations["listOrders"]['parameters']["query"]>> | undefined };
export type CreateOrderBody = NewOrder;
export type CreateOrderInput = { readonly headers?: Given<Omit<NonNullable<operations["createOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: CreateOrderBody };
export type GetOrderInput = { readonly path: Given<NonNullable<operations["getOrder"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type DeleteOrderInput = { readonly path: Given<NonNullable<operations["deleteOrder"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["deleteOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type UpdateOrderBody = OrderPatch;
export type UpdateOrderInput = { readonly path: Given<NonNullable<operations["updateOrder"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updateOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType?: "application/json" | undefined; readonly body: UpdateOrderBody } | { readonly path: Given<NonNullable<operations["updateOrder"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["updateOrder"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly contentType: "application/merge-patch+json"; readonly body: UpdateOrderBody };
export type ListInventoryInput = { readonly query?: Given<NonNullable<operations["listInventory"]['parameters']["query"]>> | undefined };
export type ListenToInventoryInput = { readonly headers?: Given<Omit<NonNullable<operations["listenToInventory"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type GetInventoryInput = { readonly path: Given<NonNullable<operations["getInventory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getInventory"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type SetInventoryBody = InventoryUpdate;
export type SetInventoryInput = { readonly path: Given<NonNullable<operations["setInventory"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["setInventory"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SetInventoryBody };
export type CreateAccountBody = NewAccount;
export type CreateAccountInput = { readonly headers?: Given<Omit<NonNullable<operations["createAccount"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: CreateAccountBody };
export type RequestSignUpBody = NewAccount;
export type RequestSignUpInput = { readonly headers?: Given<Omit<NonNullable<operations["requestSignUp"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: RequestSignUpBody };
export type ConfirmSignUpBody = SignUpConfirmation;
export type ConfirmSignUpInput = { readonly headers?: Given<Omit<NonNullable<operations["confirmSignUp"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: ConfirmSignUpBody };
export type GetAccountInput = { readonly headers?: Given<Omit<NonNullable<operations["getAccount"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type GetRateLimitInput = Record<string, never>;
export type SendMessageBody = NewMessage;
export type SendMessageInput = { readonly headers?: Given<Omit<NonNullable<operations["sendMessage"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SendMessageBody };
export type ReplayMessagesBody = NewReplay;
export type ReplayMessagesInput = { readonly headers?: Given<Omit<NonNullable<operations["replayMessages"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: ReplayMessagesBody };
export type GetMessageInput = { readonly path: Given<NonNullable<operations["getMessage"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getMessage"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type GetWebhookInput = { readonly headers?: Given<Omit<NonNullable<operations["getWebhook"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type SetWebhookBody = NewWebhook;
export type SetWebhookInput = { readonly headers?: Given<Omit<NonNullable<operations["setWebhook"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: SetWebhookBody };
export type DeleteWebhookInput = { readonly headers?: Given<Omit<NonNullable<operations["deleteWebhook"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type ListKeysInput = { readonly query?: Given<NonNullable<operations["listKeys"]['parameters']["query"]>> | undefined };
export type CreateKeyBody = NewApiKey;
export type CreateKeyInput = { readonly headers?: Given<Omit<NonNullable<operations["createKey"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: CreateKeyBody };
export type RotateKeyBody = KeyRotation;
export type RotateKeyInput = { readonly path: Given<NonNullable<operations["rotateKey"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["rotateKey"]['parameters']["header"]>, IgnoredHeader>> | undefined; readonly body: RotateKeyBody };
export type GetKeyInput = { readonly path: Given<NonNullable<operations["getKey"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["getKey"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export type RevokeKeyInput = { readonly path: Given<NonNullable<operations["revokeKey"]['parameters']["path"]>>; readonly headers?: Given<Omit<NonNullable<operations["revokeKey"]['parameters']["header"]>, IgnoredHeader>> | undefined };
export interface ListPets200 extends Reply<200, true, HeadersOf<operations["listPets"]['responses'][200], "Link">, "application/json", Pets> {}
export interface ListPets400 extends Reply<400, false, HeadersOf<operations["listPets"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListPets401 extends Reply<401, false, HeadersOf<operations["listPets"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ListPets429 extends Reply<429, false, HeadersOf<operations["listPets"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ListPets500 extends Reply<500, false, HeadersOf<operations["listPets"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListPets503 extends Reply<503, false, HeadersOf<operations["listPets"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ListPetsReply = ListPets200 | ListPets400 | ListPets401 | ListPets429 | ListPets500 | ListPets503;
export interface CreatePet201 extends Reply<201, true, HeadersOf<operations["createPet"]['responses'][201], "Idempotent-Replayed">, "application/json", Pet> {}
export interface CreatePet400 extends Reply<400, false, HeadersOf<operations["createPet"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreatePet401 extends Reply<401, false, HeadersOf<operations["createPet"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface CreatePet409 extends Reply<409, false, HeadersOf<operations["createPet"]['responses'][409], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreatePet413 extends Reply<413, false, HeadersOf<operations["createPet"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreatePet429 extends Reply<429, false, HeadersOf<operations["createPet"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface CreatePet500 extends Reply<500, false, HeadersOf<operations["createPet"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreatePet503 extends Reply<503, false, HeadersOf<operations["createPet"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type CreatePetReply = CreatePet201 | CreatePet400 | CreatePet401 | CreatePet409 | CreatePet413 | CreatePet429 | CreatePet500 | CreatePet503;
export interface GetPet200 extends Reply<200, true, HeadersOf<operations["getPet"]['responses'][200]>, "application/json", Pet> {}
export interface GetPet304 extends Reply<304, false, HeadersOf<operations["getPet"]['responses'][304]>, undefined, undefined> {}
export interface GetPet400 extends Reply<400, false, HeadersOf<operations["getPet"]['responses'][400]>, "application/json", ErrorSchema> {}
export interface GetPet401 extends Reply<401, false, HeadersOf<operations["getPet"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetPet404 extends Reply<404, false, HeadersOf<operations["getPet"]['responses'][404]>, "application/json", ErrorSchema> {}
export interface GetPet410 extends Reply<410, false, HeadersOf<operations["getPet"]['responses'][410]>, "application/json", ErrorSchema> {}
export interface GetPet429 extends Reply<429, false, HeadersOf<operations["getPet"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetPet500 extends Reply<500, false, HeadersOf<operations["getPet"]['responses'][500], "Deprecation" | "Sunset" | "Link">, "application/json", ErrorSchema> {}
export interface GetPet503 extends Reply<503, false, HeadersOf<operations["getPet"]['responses'][503], "Deprecation" | "Sunset" | "Link">, "application/json", ErrorSchema> {}
export type GetPetReply = GetPet200 | GetPet304 | GetPet400 | GetPet401 | GetPet404 | GetPet410 | GetPet429 | GetPet500 | GetPet503;
export interface ReplacePet200 extends Reply<200, true, HeadersOf<operations["replacePet"]['responses'][200]>, "application/json", Pet> {}
export interface ReplacePet400 extends Reply<400, false, HeadersOf<operations["replacePet"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplacePet401 extends Reply<401, false, HeadersOf<operations["replacePet"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ReplacePet404 extends Reply<404, false, HeadersOf<operations["replacePet"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplacePet412 extends Reply<412, false, HeadersOf<operations["replacePet"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplacePet413 extends Reply<413, false, HeadersOf<operations["replacePet"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplacePet429 extends Reply<429, false, HeadersOf<operations["replacePet"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ReplacePet500 extends Reply<500, false, HeadersOf<operations["replacePet"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplacePet503 extends Reply<503, false, HeadersOf<operations["replacePet"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ReplacePetReply = ReplacePet200 | ReplacePet400 | ReplacePet401 | ReplacePet404 | ReplacePet412 | ReplacePet413 | ReplacePet429 | ReplacePet500 | ReplacePet503;
export interface DeletePet204 extends Reply<204, true, HeadersOf<operations["deletePet"]['responses'][204]>, undefined, undefined> {}
export interface DeletePet400 extends Reply<400, false, HeadersOf<operations["deletePet"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeletePet401 extends Reply<401, false, HeadersOf<operations["deletePet"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface DeletePet404 extends Reply<404, false, HeadersOf<operations["deletePet"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeletePet409 extends Reply<409, false, HeadersOf<operations["deletePet"]['responses'][409]>, "application/json", ErrorSchema> {}
export interface DeletePet412 extends Reply<412, false, HeadersOf<operations["deletePet"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeletePet429 extends Reply<429, false, HeadersOf<operations["deletePet"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface DeletePet500 extends Reply<500, false, HeadersOf<operations["deletePet"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeletePet503 extends Reply<503, false, HeadersOf<operations["deletePet"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type DeletePetReply = DeletePet204 | DeletePet400 | DeletePet401 | DeletePet404 | DeletePet409 | DeletePet412 | DeletePet429 | DeletePet500 | DeletePet503;
export interface UpdatePet200 extends Reply<200, true, HeadersOf<operations["updatePet"]['responses'][200]>, "application/json", Pet> {}
export interface UpdatePet400 extends Reply<400, false, HeadersOf<operations["updatePet"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdatePet401 extends Reply<401, false, HeadersOf<operations["updatePet"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface UpdatePet404 extends Reply<404, false, HeadersOf<operations["updatePet"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdatePet412 extends Reply<412, false, HeadersOf<operations["updatePet"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdatePet413 extends Reply<413, false, HeadersOf<operations["updatePet"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdatePet429 extends Reply<429, false, HeadersOf<operations["updatePet"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface UpdatePet500 extends Reply<500, false, HeadersOf<operations["updatePet"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdatePet503 extends Reply<503, false, HeadersOf<operations["updatePet"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type UpdatePetReply = UpdatePet200 | UpdatePet400 | UpdatePet401 | UpdatePet404 | UpdatePet412 | UpdatePet413 | UpdatePet429 | UpdatePet500 | UpdatePet503;
export interface ListCategories200 extends Reply<200, true, HeadersOf<operations["listCategories"]['responses'][200], "Link">, "application/json", Categories> {}
export interface ListCategories400 extends Reply<400, false, HeadersOf<operations["listCategories"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListCategories401 extends Reply<401, false, HeadersOf<operations["listCategories"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ListCategories429 extends Reply<429, false, HeadersOf<operations["listCategories"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ListCategories500 extends Reply<500, false, HeadersOf<operations["listCategories"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListCategories503 extends Reply<503, false, HeadersOf<operations["listCategories"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ListCategoriesReply = ListCategories200 | ListCategories400 | ListCategories401 | ListCategories429 | ListCategories500 | ListCategories503;
export interface CreateCategory201 extends Reply<201, true, HeadersOf<operations["createCategory"]['responses'][201], "Idempotent-Replayed">, "application/json", Category> {}
export interface CreateCategory400 extends Reply<400, false, HeadersOf<operations["createCategory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateCategory401 extends Reply<401, false, HeadersOf<operations["createCategory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface CreateCategory409 extends Reply<409, false, HeadersOf<operations["createCategory"]['responses'][409], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateCategory413 extends Reply<413, false, HeadersOf<operations["createCategory"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateCategory429 extends Reply<429, false, HeadersOf<operations["createCategory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface CreateCategory500 extends Reply<500, false, HeadersOf<operations["createCategory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateCategory503 extends Reply<503, false, HeadersOf<operations["createCategory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type CreateCategoryReply = CreateCategory201 | CreateCategory400 | CreateCategory401 | CreateCategory409 | CreateCategory413 | CreateCategory429 | CreateCategory500 | CreateCategory503;
export interface GetCategory200 extends Reply<200, true, HeadersOf<operations["getCategory"]['responses'][200]>, "application/json", Category> {}
export interface GetCategory304 extends Reply<304, false, HeadersOf<operations["getCategory"]['responses'][304]>, undefined, undefined> {}
export interface GetCategory400 extends Reply<400, false, HeadersOf<operations["getCategory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetCategory401 extends Reply<401, false, HeadersOf<operations["getCategory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetCategory404 extends Reply<404, false, HeadersOf<operations["getCategory"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetCategory429 extends Reply<429, false, HeadersOf<operations["getCategory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetCategory500 extends Reply<500, false, HeadersOf<operations["getCategory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetCategory503 extends Reply<503, false, HeadersOf<operations["getCategory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetCategoryReply = GetCategory200 | GetCategory304 | GetCategory400 | GetCategory401 | GetCategory404 | GetCategory429 | GetCategory500 | GetCategory503;
export interface ReplaceCategory200 extends Reply<200, true, HeadersOf<operations["replaceCategory"]['responses'][200]>, "application/json", Category> {}
export interface ReplaceCategory400 extends Reply<400, false, HeadersOf<operations["replaceCategory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplaceCategory401 extends Reply<401, false, HeadersOf<operations["replaceCategory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ReplaceCategory404 extends Reply<404, false, HeadersOf<operations["replaceCategory"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplaceCategory412 extends Reply<412, false, HeadersOf<operations["replaceCategory"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplaceCategory413 extends Reply<413, false, HeadersOf<operations["replaceCategory"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplaceCategory429 extends Reply<429, false, HeadersOf<operations["replaceCategory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ReplaceCategory500 extends Reply<500, false, HeadersOf<operations["replaceCategory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplaceCategory503 extends Reply<503, false, HeadersOf<operations["replaceCategory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ReplaceCategoryReply = ReplaceCategory200 | ReplaceCategory400 | ReplaceCategory401 | ReplaceCategory404 | ReplaceCategory412 | ReplaceCategory413 | ReplaceCategory429 | ReplaceCategory500 | ReplaceCategory503;
export interface DeleteCategory204 extends Reply<204, true, HeadersOf<operations["deleteCategory"]['responses'][204]>, undefined, undefined> {}
export interface DeleteCategory400 extends Reply<400, false, HeadersOf<operations["deleteCategory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteCategory401 extends Reply<401, false, HeadersOf<operations["deleteCategory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface DeleteCategory404 extends Reply<404, false, HeadersOf<operations["deleteCategory"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteCategory409 extends Reply<409, false, HeadersOf<operations["deleteCategory"]['responses'][409]>, "application/json", ErrorSchema> {}
export interface DeleteCategory412 extends Reply<412, false, HeadersOf<operations["deleteCategory"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteCategory429 extends Reply<429, false, HeadersOf<operations["deleteCategory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface DeleteCategory500 extends Reply<500, false, HeadersOf<operations["deleteCategory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteCategory503 extends Reply<503, false, HeadersOf<operations["deleteCategory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type DeleteCategoryReply = DeleteCategory204 | DeleteCategory400 | DeleteCategory401 | DeleteCategory404 | DeleteCategory409 | DeleteCategory412 | DeleteCategory429 | DeleteCategory500 | DeleteCategory503;
export interface UpdateCategory200 extends Reply<200, true, HeadersOf<operations["updateCategory"]['responses'][200]>, "application/json", Category> {}
export interface UpdateCategory400 extends Reply<400, false, HeadersOf<operations["updateCategory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateCategory401 extends Reply<401, false, HeadersOf<operations["updateCategory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface UpdateCategory404 extends Reply<404, false, HeadersOf<operations["updateCategory"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateCategory412 extends Reply<412, false, HeadersOf<operations["updateCategory"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateCategory413 extends Reply<413, false, HeadersOf<operations["updateCategory"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateCategory429 extends Reply<429, false, HeadersOf<operations["updateCategory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface UpdateCategory500 extends Reply<500, false, HeadersOf<operations["updateCategory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateCategory503 extends Reply<503, false, HeadersOf<operations["updateCategory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type UpdateCategoryReply = UpdateCategory200 | UpdateCategory400 | UpdateCategory401 | UpdateCategory404 | UpdateCategory412 | UpdateCategory413 | UpdateCategory429 | UpdateCategory500 | UpdateCategory503;
export interface GetStorePet200 extends Reply<200, true, HeadersOf<operations["getStorePet"]['responses'][200]>, "application/json", Pet> {}
export interface GetStorePet304 extends Reply<304, false, HeadersOf<operations["getStorePet"]['responses'][304]>, undefined, undefined> {}
export interface GetStorePet400 extends Reply<400, false, HeadersOf<operations["getStorePet"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetStorePet401 extends Reply<401, false, HeadersOf<operations["getStorePet"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetStorePet404 extends Reply<404, false, HeadersOf<operations["getStorePet"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetStorePet429 extends Reply<429, false, HeadersOf<operations["getStorePet"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetStorePet500 extends Reply<500, false, HeadersOf<operations["getStorePet"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetStorePet503 extends Reply<503, false, HeadersOf<operations["getStorePet"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetStorePetReply = GetStorePet200 | GetStorePet304 | GetStorePet400 | GetStorePet401 | GetStorePet404 | GetStorePet429 | GetStorePet500 | GetStorePet503;
export interface ListPhotos200 extends Reply<200, true, HeadersOf<operations["listPhotos"]['responses'][200], "Link">, "application/json", Photos> {}
export interface ListPhotos400 extends Reply<400, false, HeadersOf<operations["listPhotos"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListPhotos401 extends Reply<401, false, HeadersOf<operations["listPhotos"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ListPhotos404 extends Reply<404, false, HeadersOf<operations["listPhotos"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListPhotos429 extends Reply<429, false, HeadersOf<operations["listPhotos"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ListPhotos500 extends Reply<500, false, HeadersOf<operations["listPhotos"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListPhotos503 extends Reply<503, false, HeadersOf<operations["listPhotos"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ListPhotosReply = ListPhotos200 | ListPhotos400 | ListPhotos401 | ListPhotos404 | ListPhotos429 | ListPhotos500 | ListPhotos503;
export interface CreatePhoto201 extends Reply<201, true, HeadersOf<operations["createPhoto"]['responses'][201]>, "application/json", Photo> {}
export interface CreatePhoto400 extends Reply<400, false, HeadersOf<operations["createPhoto"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreatePhoto401 extends Reply<401, false, HeadersOf<operations["createPhoto"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface CreatePhoto404 extends Reply<404, false, HeadersOf<operations["createPhoto"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreatePhoto409 extends Reply<409, false, HeadersOf<operations["createPhoto"]['responses'][409]>, "application/json", ErrorSchema> {}
export interface CreatePhoto413 extends Reply<413, false, HeadersOf<operations["createPhoto"]['responses'][413]>, "application/json", ErrorSchema> {}
export interface CreatePhoto429 extends Reply<429, false, HeadersOf<operations["createPhoto"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface CreatePhoto500 extends Reply<500, false, HeadersOf<operations["createPhoto"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreatePhoto503 extends Reply<503, false, HeadersOf<operations["createPhoto"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type CreatePhotoReply = CreatePhoto201 | CreatePhoto400 | CreatePhoto401 | CreatePhoto404 | CreatePhoto409 | CreatePhoto413 | CreatePhoto429 | CreatePhoto500 | CreatePhoto503;
export type GetPhoto200 = Reply<200, true, HeadersOf<operations["getPhoto"]['responses'][200], "Accept-Ranges" | "Content-Disposition">, "image/jpeg", Blob> | Reply<200, true, HeadersOf<operations["getPhoto"]['responses'][200], "Accept-Ranges" | "Content-Disposition">, "image/png", Blob> | Reply<200, true, HeadersOf<operations["getPhoto"]['responses'][200], "Accept-Ranges" | "Content-Disposition">, "image/gif", Blob> | Reply<200, true, HeadersOf<operations["getPhoto"]['responses'][200], "Accept-Ranges" | "Content-Disposition">, "image/webp", Blob>;
export type GetPhoto206 = Reply<206, true, HeadersOf<operations["getPhoto"]['responses'][206], "Accept-Ranges" | "Content-Disposition">, "image/jpeg", Blob> | Reply<206, true, HeadersOf<operations["getPhoto"]['responses'][206], "Accept-Ranges" | "Content-Disposition">, "image/png", Blob> | Reply<206, true, HeadersOf<operations["getPhoto"]['responses'][206], "Accept-Ranges" | "Content-Disposition">, "image/gif", Blob> | Reply<206, true, HeadersOf<operations["getPhoto"]['responses'][206], "Accept-Ranges" | "Content-Disposition">, "image/webp", Blob>;
export interface GetPhoto304 extends Reply<304, false, HeadersOf<operations["getPhoto"]['responses'][304]>, undefined, undefined> {}
export interface GetPhoto400 extends Reply<400, false, HeadersOf<operations["getPhoto"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetPhoto401 extends Reply<401, false, HeadersOf<operations["getPhoto"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetPhoto404 extends Reply<404, false, HeadersOf<operations["getPhoto"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetPhoto412 extends Reply<412, false, HeadersOf<operations["getPhoto"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetPhoto416 extends Reply<416, false, HeadersOf<operations["getPhoto"]['responses'][416]>, "application/json", ErrorSchema> {}
export interface GetPhoto429 extends Reply<429, false, HeadersOf<operations["getPhoto"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetPhoto500 extends Reply<500, false, HeadersOf<operations["getPhoto"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetPhoto503 extends Reply<503, false, HeadersOf<operations["getPhoto"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetPhotoReply = GetPhoto200 | GetPhoto206 | GetPhoto304 | GetPhoto400 | GetPhoto401 | GetPhoto404 | GetPhoto412 | GetPhoto416 | GetPhoto429 | GetPhoto500 | GetPhoto503;
export interface DeletePhoto204 extends Reply<204, true, HeadersOf<operations["deletePhoto"]['responses'][204]>, undefined, undefined> {}
export interface DeletePhoto400 extends Reply<400, false, HeadersOf<operations["deletePhoto"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeletePhoto401 extends Reply<401, false, HeadersOf<operations["deletePhoto"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface DeletePhoto404 extends Reply<404, false, HeadersOf<operations["deletePhoto"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeletePhoto429 extends Reply<429, false, HeadersOf<operations["deletePhoto"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface DeletePhoto500 extends Reply<500, false, HeadersOf<operations["deletePhoto"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeletePhoto503 extends Reply<503, false, HeadersOf<operations["deletePhoto"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type DeletePhotoReply = DeletePhoto204 | DeletePhoto400 | DeletePhoto401 | DeletePhoto404 | DeletePhoto429 | DeletePhoto500 | DeletePhoto503;
export interface ListOrders200 extends Reply<200, true, HeadersOf<operations["listOrders"]['responses'][200], "Link">, "application/json", Orders> {}
export interface ListOrders400 extends Reply<400, false, HeadersOf<operations["listOrders"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListOrders401 extends Reply<401, false, HeadersOf<operations["listOrders"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ListOrders429 extends Reply<429, false, HeadersOf<operations["listOrders"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ListOrders500 extends Reply<500, false, HeadersOf<operations["listOrders"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListOrders503 extends Reply<503, false, HeadersOf<operations["listOrders"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ListOrdersReply = ListOrders200 | ListOrders400 | ListOrders401 | ListOrders429 | ListOrders500 | ListOrders503;
export interface CreateOrder201 extends Reply<201, true, HeadersOf<operations["createOrder"]['responses'][201], "Idempotent-Replayed">, "application/json", Order> {}
export interface CreateOrder400 extends Reply<400, false, HeadersOf<operations["createOrder"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateOrder401 extends Reply<401, false, HeadersOf<operations["createOrder"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface CreateOrder409 extends Reply<409, false, HeadersOf<operations["createOrder"]['responses'][409], "Retry-After">, "application/json", ErrorSchema> {}
export interface CreateOrder413 extends Reply<413, false, HeadersOf<operations["createOrder"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateOrder429 extends Reply<429, false, HeadersOf<operations["createOrder"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface CreateOrder500 extends Reply<500, false, HeadersOf<operations["createOrder"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateOrder503 extends Reply<503, false, HeadersOf<operations["createOrder"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type CreateOrderReply = CreateOrder201 | CreateOrder400 | CreateOrder401 | CreateOrder409 | CreateOrder413 | CreateOrder429 | CreateOrder500 | CreateOrder503;
export interface GetOrder200 extends Reply<200, true, HeadersOf<operations["getOrder"]['responses'][200]>, "application/json", Order> {}
export interface GetOrder304 extends Reply<304, false, HeadersOf<operations["getOrder"]['responses'][304]>, undefined, undefined> {}
export interface GetOrder400 extends Reply<400, false, HeadersOf<operations["getOrder"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetOrder401 extends Reply<401, false, HeadersOf<operations["getOrder"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetOrder404 extends Reply<404, false, HeadersOf<operations["getOrder"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetOrder429 extends Reply<429, false, HeadersOf<operations["getOrder"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetOrder500 extends Reply<500, false, HeadersOf<operations["getOrder"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetOrder503 extends Reply<503, false, HeadersOf<operations["getOrder"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetOrderReply = GetOrder200 | GetOrder304 | GetOrder400 | GetOrder401 | GetOrder404 | GetOrder429 | GetOrder500 | GetOrder503;
export interface DeleteOrder204 extends Reply<204, true, HeadersOf<operations["deleteOrder"]['responses'][204]>, undefined, undefined> {}
export interface DeleteOrder400 extends Reply<400, false, HeadersOf<operations["deleteOrder"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteOrder401 extends Reply<401, false, HeadersOf<operations["deleteOrder"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface DeleteOrder404 extends Reply<404, false, HeadersOf<operations["deleteOrder"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteOrder409 extends Reply<409, false, HeadersOf<operations["deleteOrder"]['responses'][409]>, "application/json", ErrorSchema> {}
export interface DeleteOrder412 extends Reply<412, false, HeadersOf<operations["deleteOrder"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteOrder429 extends Reply<429, false, HeadersOf<operations["deleteOrder"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface DeleteOrder500 extends Reply<500, false, HeadersOf<operations["deleteOrder"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteOrder503 extends Reply<503, false, HeadersOf<operations["deleteOrder"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type DeleteOrderReply = DeleteOrder204 | DeleteOrder400 | DeleteOrder401 | DeleteOrder404 | DeleteOrder409 | DeleteOrder412 | DeleteOrder429 | DeleteOrder500 | DeleteOrder503;
export interface UpdateOrder200 extends Reply<200, true, HeadersOf<operations["updateOrder"]['responses'][200]>, "application/json", Order> {}
export interface UpdateOrder400 extends Reply<400, false, HeadersOf<operations["updateOrder"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateOrder401 extends Reply<401, false, HeadersOf<operations["updateOrder"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface UpdateOrder404 extends Reply<404, false, HeadersOf<operations["updateOrder"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateOrder409 extends Reply<409, false, HeadersOf<operations["updateOrder"]['responses'][409]>, "application/json", ErrorSchema> {}
export interface UpdateOrder412 extends Reply<412, false, HeadersOf<operations["updateOrder"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateOrder413 extends Reply<413, false, HeadersOf<operations["updateOrder"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateOrder429 extends Reply<429, false, HeadersOf<operations["updateOrder"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface UpdateOrder500 extends Reply<500, false, HeadersOf<operations["updateOrder"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface UpdateOrder503 extends Reply<503, false, HeadersOf<operations["updateOrder"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type UpdateOrderReply = UpdateOrder200 | UpdateOrder400 | UpdateOrder401 | UpdateOrder404 | UpdateOrder409 | UpdateOrder412 | UpdateOrder413 | UpdateOrder429 | UpdateOrder500 | UpdateOrder503;
export interface ListInventory200 extends Reply<200, true, HeadersOf<operations["listInventory"]['responses'][200], "Link">, "application/json", Inventory> {}
export interface ListInventory400 extends Reply<400, false, HeadersOf<operations["listInventory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListInventory401 extends Reply<401, false, HeadersOf<operations["listInventory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ListInventory429 extends Reply<429, false, HeadersOf<operations["listInventory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ListInventory500 extends Reply<500, false, HeadersOf<operations["listInventory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListInventory503 extends Reply<503, false, HeadersOf<operations["listInventory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ListInventoryReply = ListInventory200 | ListInventory400 | ListInventory401 | ListInventory429 | ListInventory500 | ListInventory503;
export interface ListenToInventory200 extends Reply<200, true, HeadersOf<operations["listenToInventory"]['responses'][200]>, "text/event-stream", AsyncIterable<InventoryEvent>> {}
export interface ListenToInventory400 extends Reply<400, false, HeadersOf<operations["listenToInventory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListenToInventory401 extends Reply<401, false, HeadersOf<operations["listenToInventory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ListenToInventory429 extends Reply<429, false, HeadersOf<operations["listenToInventory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ListenToInventory500 extends Reply<500, false, HeadersOf<operations["listenToInventory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListenToInventory503 extends Reply<503, false, HeadersOf<operations["listenToInventory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ListenToInventoryReply = ListenToInventory200 | ListenToInventory400 | ListenToInventory401 | ListenToInventory429 | ListenToInventory500 | ListenToInventory503;
export interface GetInventory200 extends Reply<200, true, HeadersOf<operations["getInventory"]['responses'][200]>, "application/json", InventoryItem> {}
export interface GetInventory304 extends Reply<304, false, HeadersOf<operations["getInventory"]['responses'][304]>, undefined, undefined> {}
export interface GetInventory400 extends Reply<400, false, HeadersOf<operations["getInventory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetInventory401 extends Reply<401, false, HeadersOf<operations["getInventory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetInventory404 extends Reply<404, false, HeadersOf<operations["getInventory"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetInventory429 extends Reply<429, false, HeadersOf<operations["getInventory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetInventory500 extends Reply<500, false, HeadersOf<operations["getInventory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetInventory503 extends Reply<503, false, HeadersOf<operations["getInventory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetInventoryReply = GetInventory200 | GetInventory304 | GetInventory400 | GetInventory401 | GetInventory404 | GetInventory429 | GetInventory500 | GetInventory503;
export interface SetInventory200 extends Reply<200, true, HeadersOf<operations["setInventory"]['responses'][200]>, "application/json", InventoryItem> {}
export interface SetInventory400 extends Reply<400, false, HeadersOf<operations["setInventory"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetInventory401 extends Reply<401, false, HeadersOf<operations["setInventory"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface SetInventory404 extends Reply<404, false, HeadersOf<operations["setInventory"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetInventory412 extends Reply<412, false, HeadersOf<operations["setInventory"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetInventory413 extends Reply<413, false, HeadersOf<operations["setInventory"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetInventory429 extends Reply<429, false, HeadersOf<operations["setInventory"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface SetInventory500 extends Reply<500, false, HeadersOf<operations["setInventory"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetInventory503 extends Reply<503, false, HeadersOf<operations["setInventory"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type SetInventoryReply = SetInventory200 | SetInventory400 | SetInventory401 | SetInventory404 | SetInventory412 | SetInventory413 | SetInventory429 | SetInventory500 | SetInventory503;
export interface CreateAccount201 extends Reply<201, true, HeadersOf<operations["createAccount"]['responses'][201], "Idempotent-Replayed">, "application/json", CreatedAccount> {}
export interface CreateAccount400 extends Reply<400, false, HeadersOf<operations["createAccount"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateAccount409 extends Reply<409, false, HeadersOf<operations["createAccount"]['responses'][409], "Retry-After">, "application/json", ErrorSchema> {}
export interface CreateAccount413 extends Reply<413, false, HeadersOf<operations["createAccount"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateAccount429 extends Reply<429, false, HeadersOf<operations["createAccount"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface CreateAccount500 extends Reply<500, false, HeadersOf<operations["createAccount"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateAccount503 extends Reply<503, false, HeadersOf<operations["createAccount"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type CreateAccountReply = CreateAccount201 | CreateAccount400 | CreateAccount409 | CreateAccount413 | CreateAccount429 | CreateAccount500 | CreateAccount503;
export interface RequestSignUp204 extends Reply<204, true, HeadersOf<operations["requestSignUp"]['responses'][204], "Idempotent-Replayed">, undefined, undefined> {}
export interface RequestSignUp400 extends Reply<400, false, HeadersOf<operations["requestSignUp"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface RequestSignUp409 extends Reply<409, false, HeadersOf<operations["requestSignUp"]['responses'][409], "X-Stability">, "application/json", ErrorSchema> {}
export interface RequestSignUp413 extends Reply<413, false, HeadersOf<operations["requestSignUp"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface RequestSignUp429 extends Reply<429, false, HeadersOf<operations["requestSignUp"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface RequestSignUp500 extends Reply<500, false, HeadersOf<operations["requestSignUp"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface RequestSignUp503 extends Reply<503, false, HeadersOf<operations["requestSignUp"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type RequestSignUpReply = RequestSignUp204 | RequestSignUp400 | RequestSignUp409 | RequestSignUp413 | RequestSignUp429 | RequestSignUp500 | RequestSignUp503;
export interface ConfirmSignUp201 extends Reply<201, true, HeadersOf<operations["confirmSignUp"]['responses'][201], "Idempotent-Replayed">, "application/json", CreatedAccount> {}
export interface ConfirmSignUp400 extends Reply<400, false, HeadersOf<operations["confirmSignUp"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ConfirmSignUp409 extends Reply<409, false, HeadersOf<operations["confirmSignUp"]['responses'][409], "Retry-After">, "application/json", ErrorSchema> {}
export interface ConfirmSignUp413 extends Reply<413, false, HeadersOf<operations["confirmSignUp"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface ConfirmSignUp429 extends Reply<429, false, HeadersOf<operations["confirmSignUp"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ConfirmSignUp500 extends Reply<500, false, HeadersOf<operations["confirmSignUp"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ConfirmSignUp503 extends Reply<503, false, HeadersOf<operations["confirmSignUp"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ConfirmSignUpReply = ConfirmSignUp201 | ConfirmSignUp400 | ConfirmSignUp409 | ConfirmSignUp413 | ConfirmSignUp429 | ConfirmSignUp500 | ConfirmSignUp503;
export interface GetAccount200 extends Reply<200, true, HeadersOf<operations["getAccount"]['responses'][200]>, "application/json", Account> {}
export interface GetAccount304 extends Reply<304, false, HeadersOf<operations["getAccount"]['responses'][304]>, undefined, undefined> {}
export interface GetAccount400 extends Reply<400, false, HeadersOf<operations["getAccount"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetAccount401 extends Reply<401, false, HeadersOf<operations["getAccount"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetAccount429 extends Reply<429, false, HeadersOf<operations["getAccount"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetAccount500 extends Reply<500, false, HeadersOf<operations["getAccount"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetAccount503 extends Reply<503, false, HeadersOf<operations["getAccount"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetAccountReply = GetAccount200 | GetAccount304 | GetAccount400 | GetAccount401 | GetAccount429 | GetAccount500 | GetAccount503;
export interface GetRateLimit200 extends Reply<200, true, HeadersOf<operations["getRateLimit"]['responses'][200]>, "application/json", RateLimit> {}
export interface GetRateLimit400 extends Reply<400, false, HeadersOf<operations["getRateLimit"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetRateLimit401 extends Reply<401, false, HeadersOf<operations["getRateLimit"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetRateLimit429 extends Reply<429, false, HeadersOf<operations["getRateLimit"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetRateLimit500 extends Reply<500, false, HeadersOf<operations["getRateLimit"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetRateLimit503 extends Reply<503, false, HeadersOf<operations["getRateLimit"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetRateLimitReply = GetRateLimit200 | GetRateLimit400 | GetRateLimit401 | GetRateLimit429 | GetRateLimit500 | GetRateLimit503;
export interface SendMessage202 extends Reply<202, true, HeadersOf<operations["sendMessage"]['responses'][202], "Idempotent-Replayed">, "application/json", Message> {}
export interface SendMessage400 extends Reply<400, false, HeadersOf<operations["sendMessage"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface SendMessage401 extends Reply<401, false, HeadersOf<operations["sendMessage"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface SendMessage409 extends Reply<409, false, HeadersOf<operations["sendMessage"]['responses'][409], "X-Stability">, "application/json", ErrorSchema> {}
export interface SendMessage413 extends Reply<413, false, HeadersOf<operations["sendMessage"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface SendMessage429 extends Reply<429, false, HeadersOf<operations["sendMessage"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface SendMessage500 extends Reply<500, false, HeadersOf<operations["sendMessage"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface SendMessage503 extends Reply<503, false, HeadersOf<operations["sendMessage"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type SendMessageReply = SendMessage202 | SendMessage400 | SendMessage401 | SendMessage409 | SendMessage413 | SendMessage429 | SendMessage500 | SendMessage503;
export interface ReplayMessages200 extends Reply<200, true, HeadersOf<operations["replayMessages"]['responses'][200], "Idempotent-Replayed">, "application/json", Replay> {}
export interface ReplayMessages400 extends Reply<400, false, HeadersOf<operations["replayMessages"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplayMessages401 extends Reply<401, false, HeadersOf<operations["replayMessages"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ReplayMessages409 extends Reply<409, false, HeadersOf<operations["replayMessages"]['responses'][409], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplayMessages413 extends Reply<413, false, HeadersOf<operations["replayMessages"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplayMessages429 extends Reply<429, false, HeadersOf<operations["replayMessages"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ReplayMessages500 extends Reply<500, false, HeadersOf<operations["replayMessages"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ReplayMessages503 extends Reply<503, false, HeadersOf<operations["replayMessages"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ReplayMessagesReply = ReplayMessages200 | ReplayMessages400 | ReplayMessages401 | ReplayMessages409 | ReplayMessages413 | ReplayMessages429 | ReplayMessages500 | ReplayMessages503;
export interface GetMessage200 extends Reply<200, true, HeadersOf<operations["getMessage"]['responses'][200]>, "application/json", Message> {}
export interface GetMessage304 extends Reply<304, false, HeadersOf<operations["getMessage"]['responses'][304]>, undefined, undefined> {}
export interface GetMessage400 extends Reply<400, false, HeadersOf<operations["getMessage"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetMessage401 extends Reply<401, false, HeadersOf<operations["getMessage"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetMessage404 extends Reply<404, false, HeadersOf<operations["getMessage"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetMessage429 extends Reply<429, false, HeadersOf<operations["getMessage"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetMessage500 extends Reply<500, false, HeadersOf<operations["getMessage"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetMessage503 extends Reply<503, false, HeadersOf<operations["getMessage"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetMessageReply = GetMessage200 | GetMessage304 | GetMessage400 | GetMessage401 | GetMessage404 | GetMessage429 | GetMessage500 | GetMessage503;
export interface GetWebhook200 extends Reply<200, true, HeadersOf<operations["getWebhook"]['responses'][200]>, "application/json", Webhook> {}
export interface GetWebhook304 extends Reply<304, false, HeadersOf<operations["getWebhook"]['responses'][304]>, undefined, undefined> {}
export interface GetWebhook400 extends Reply<400, false, HeadersOf<operations["getWebhook"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetWebhook401 extends Reply<401, false, HeadersOf<operations["getWebhook"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetWebhook404 extends Reply<404, false, HeadersOf<operations["getWebhook"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetWebhook429 extends Reply<429, false, HeadersOf<operations["getWebhook"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetWebhook500 extends Reply<500, false, HeadersOf<operations["getWebhook"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetWebhook503 extends Reply<503, false, HeadersOf<operations["getWebhook"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetWebhookReply = GetWebhook200 | GetWebhook304 | GetWebhook400 | GetWebhook401 | GetWebhook404 | GetWebhook429 | GetWebhook500 | GetWebhook503;
export interface SetWebhook200 extends Reply<200, true, HeadersOf<operations["setWebhook"]['responses'][200]>, "application/json", CreatedWebhook> {}
export interface SetWebhook400 extends Reply<400, false, HeadersOf<operations["setWebhook"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetWebhook401 extends Reply<401, false, HeadersOf<operations["setWebhook"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface SetWebhook412 extends Reply<412, false, HeadersOf<operations["setWebhook"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetWebhook413 extends Reply<413, false, HeadersOf<operations["setWebhook"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetWebhook429 extends Reply<429, false, HeadersOf<operations["setWebhook"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface SetWebhook500 extends Reply<500, false, HeadersOf<operations["setWebhook"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface SetWebhook503 extends Reply<503, false, HeadersOf<operations["setWebhook"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type SetWebhookReply = SetWebhook200 | SetWebhook400 | SetWebhook401 | SetWebhook412 | SetWebhook413 | SetWebhook429 | SetWebhook500 | SetWebhook503;
export interface DeleteWebhook204 extends Reply<204, true, HeadersOf<operations["deleteWebhook"]['responses'][204]>, undefined, undefined> {}
export interface DeleteWebhook400 extends Reply<400, false, HeadersOf<operations["deleteWebhook"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteWebhook401 extends Reply<401, false, HeadersOf<operations["deleteWebhook"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface DeleteWebhook404 extends Reply<404, false, HeadersOf<operations["deleteWebhook"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteWebhook412 extends Reply<412, false, HeadersOf<operations["deleteWebhook"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteWebhook429 extends Reply<429, false, HeadersOf<operations["deleteWebhook"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface DeleteWebhook500 extends Reply<500, false, HeadersOf<operations["deleteWebhook"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface DeleteWebhook503 extends Reply<503, false, HeadersOf<operations["deleteWebhook"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type DeleteWebhookReply = DeleteWebhook204 | DeleteWebhook400 | DeleteWebhook401 | DeleteWebhook404 | DeleteWebhook412 | DeleteWebhook429 | DeleteWebhook500 | DeleteWebhook503;
export interface ListKeys200 extends Reply<200, true, HeadersOf<operations["listKeys"]['responses'][200], "Link">, "application/json", ApiKeys> {}
export interface ListKeys400 extends Reply<400, false, HeadersOf<operations["listKeys"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListKeys401 extends Reply<401, false, HeadersOf<operations["listKeys"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface ListKeys429 extends Reply<429, false, HeadersOf<operations["listKeys"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface ListKeys500 extends Reply<500, false, HeadersOf<operations["listKeys"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface ListKeys503 extends Reply<503, false, HeadersOf<operations["listKeys"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type ListKeysReply = ListKeys200 | ListKeys400 | ListKeys401 | ListKeys429 | ListKeys500 | ListKeys503;
export interface CreateKey201 extends Reply<201, true, HeadersOf<operations["createKey"]['responses'][201], "Idempotent-Replayed">, "application/json", CreatedApiKey> {}
export interface CreateKey400 extends Reply<400, false, HeadersOf<operations["createKey"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateKey401 extends Reply<401, false, HeadersOf<operations["createKey"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface CreateKey409 extends Reply<409, false, HeadersOf<operations["createKey"]['responses'][409], "Retry-After">, "application/json", ErrorSchema> {}
export interface CreateKey413 extends Reply<413, false, HeadersOf<operations["createKey"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateKey429 extends Reply<429, false, HeadersOf<operations["createKey"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface CreateKey500 extends Reply<500, false, HeadersOf<operations["createKey"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface CreateKey503 extends Reply<503, false, HeadersOf<operations["createKey"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type CreateKeyReply = CreateKey201 | CreateKey400 | CreateKey401 | CreateKey409 | CreateKey413 | CreateKey429 | CreateKey500 | CreateKey503;
export interface RotateKey201 extends Reply<201, true, HeadersOf<operations["rotateKey"]['responses'][201], "Idempotent-Replayed">, "application/json", CreatedApiKey> {}
export interface RotateKey400 extends Reply<400, false, HeadersOf<operations["rotateKey"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface RotateKey401 extends Reply<401, false, HeadersOf<operations["rotateKey"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface RotateKey403 extends Reply<403, false, HeadersOf<operations["rotateKey"]['responses'][403]>, "application/json", ErrorSchema> {}
export interface RotateKey404 extends Reply<404, false, HeadersOf<operations["rotateKey"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface RotateKey409 extends Reply<409, false, HeadersOf<operations["rotateKey"]['responses'][409], "Retry-After">, "application/json", ErrorSchema> {}
export interface RotateKey413 extends Reply<413, false, HeadersOf<operations["rotateKey"]['responses'][413], "X-Stability">, "application/json", ErrorSchema> {}
export interface RotateKey429 extends Reply<429, false, HeadersOf<operations["rotateKey"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface RotateKey500 extends Reply<500, false, HeadersOf<operations["rotateKey"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface RotateKey503 extends Reply<503, false, HeadersOf<operations["rotateKey"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type RotateKeyReply = RotateKey201 | RotateKey400 | RotateKey401 | RotateKey403 | RotateKey404 | RotateKey409 | RotateKey413 | RotateKey429 | RotateKey500 | RotateKey503;
export interface GetKey200 extends Reply<200, true, HeadersOf<operations["getKey"]['responses'][200]>, "application/json", ApiKey> {}
export interface GetKey304 extends Reply<304, false, HeadersOf<operations["getKey"]['responses'][304]>, undefined, undefined> {}
export interface GetKey400 extends Reply<400, false, HeadersOf<operations["getKey"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetKey401 extends Reply<401, false, HeadersOf<operations["getKey"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface GetKey404 extends Reply<404, false, HeadersOf<operations["getKey"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetKey429 extends Reply<429, false, HeadersOf<operations["getKey"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface GetKey500 extends Reply<500, false, HeadersOf<operations["getKey"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface GetKey503 extends Reply<503, false, HeadersOf<operations["getKey"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type GetKeyReply = GetKey200 | GetKey304 | GetKey400 | GetKey401 | GetKey404 | GetKey429 | GetKey500 | GetKey503;
export interface RevokeKey204 extends Reply<204, true, HeadersOf<operations["revokeKey"]['responses'][204]>, undefined, undefined> {}
export interface RevokeKey400 extends Reply<400, false, HeadersOf<operations["revokeKey"]['responses'][400], "X-Stability">, "application/json", ErrorSchema> {}
export interface RevokeKey401 extends Reply<401, false, HeadersOf<operations["revokeKey"]['responses'][401]>, "application/json", ErrorSchema> {}
export interface RevokeKey403 extends Reply<403, false, HeadersOf<operations["revokeKey"]['responses'][403]>, "application/json", ErrorSchema> {}
export interface RevokeKey404 extends Reply<404, false, HeadersOf<operations["revokeKey"]['responses'][404], "X-Stability">, "application/json", ErrorSchema> {}
export interface RevokeKey409 extends Reply<409, false, HeadersOf<operations["revokeKey"]['responses'][409]>, "application/json", ErrorSchema> {}
export interface RevokeKey412 extends Reply<412, false, HeadersOf<operations["revokeKey"]['responses'][412], "X-Stability">, "application/json", ErrorSchema> {}
export interface RevokeKey429 extends Reply<429, false, HeadersOf<operations["revokeKey"]['responses'][429]>, "application/json", ErrorSchema> {}
export interface RevokeKey500 extends Reply<500, false, HeadersOf<operations["revokeKey"]['responses'][500], "X-Stability">, "application/json", ErrorSchema> {}
export interface RevokeKey503 extends Reply<503, false, HeadersOf<operations["revokeKey"]['responses'][503], "X-Stability">, "application/json", ErrorSchema> {}
export type RevokeKeyReply = RevokeKey204 | RevokeKey400 | RevokeKey401 | RevokeKey403 | RevokeKey404 | RevokeKey409 | RevokeKey412 | RevokeKey429 | RevokeKey500 | RevokeKey503;

/** What the operations take. */
export interface Inputs {
  listPets: ListPetsInput;
  createPet: CreatePetInput;
  getPet: GetPetInput;
  replacePet: ReplacePetInput;
  deletePet: DeletePetInput;
  updatePet: UpdatePetInput;
  listCategories: ListCategoriesInput;
  createCategory: CreateCategoryInput;
  getCategory: GetCategoryInput;
  replaceCategory: ReplaceCategoryInput;
  deleteCategory: DeleteCategoryInput;
  updateCategory: UpdateCategoryInput;
  getStorePet: GetStorePetInput;
  listPhotos: ListPhotosInput;
  createPhoto: CreatePhotoInput;
  getPhoto: GetPhotoInput;
  deletePhoto: DeletePhotoInput;
  listOrders: ListOrdersInput;
  createOrder: CreateOrderInput;
  getOrder: GetOrderInput;
  deleteOrder: DeleteOrderInput;
  updateOrder: UpdateOrderInput;
  listInventory: ListInventoryInput;
  listenToInventory: ListenToInventoryInput;
  getInventory: GetInventoryInput;
  setInventory: SetInventoryInput;
  createAccount: CreateAccountInput;
  requestSignUp: RequestSignUpInput;
  confirmSignUp: ConfirmSignUpInput;
  getAccount: GetAccountInput;
  getRateLimit: GetRateLimitInput;
  sendMessage: SendMessageInput;
  replayMessages: ReplayMessagesInput;
  getMessage: GetMessageInput;
  getWebhook: GetWebhookInput;
  setWebhook: SetWebhookInput;
  deleteWebhook: DeleteWebhookInput;
  listKeys: ListKeysInput;
  createKey: CreateKeyInput;
  rotateKey: RotateKeyInput;
  getKey: GetKeyInput;
  revokeKey: RevokeKeyInput;
}

/** What the operations may be answered with. */
export interface Results {
  listPets: ListPetsReply;
  createPet: CreatePetReply;
  getPet: GetPetReply;
  replacePet: ReplacePetReply;
  deletePet: DeletePetReply;
  updatePet: UpdatePetReply;
  listCategories: ListCategoriesReply;
  createCategory: CreateCategoryReply;
  getCategory: GetCategoryReply;
  replaceCategory: ReplaceCategoryReply;
  deleteCategory: DeleteCategoryReply;
  updateCategory: UpdateCategoryReply;
  getStorePet: GetStorePetReply;
  listPhotos: ListPhotosReply;
  createPhoto: CreatePhotoReply;
  getPhoto: GetPhotoReply;
  deletePhoto: DeletePhotoReply;
  listOrders: ListOrdersReply;
  createOrder: CreateOrderReply;
  getOrder: GetOrderReply;
  deleteOrder: DeleteOrderReply;
  updateOrder: UpdateOrderReply;
  listInventory: ListInventoryReply;
  listenToInventory: ListenToInventoryReply;
  getInventory: GetInventoryReply;
  setInventory: SetInventoryReply;
  createAccount: CreateAccountReply;
  requestSignUp: RequestSignUpReply;
  confirmSignUp: ConfirmSignUpReply;
  getAccount: GetAccountReply;
  getRateLimit: GetRateLimitReply;
  sendMessage: SendMessageReply;
  replayMessages: ReplayMessagesReply;
  getMessage: GetMessageReply;
  getWebhook: GetWebhookReply;
  setWebhook: SetWebhookReply;
  deleteWebhook: DeleteWebhookReply;
  listKeys: ListKeysReply;
  createKey: CreateKeyReply;
  rotateKey: RotateKeyReply;
  getKey: GetKeyReply;
  revokeKey: RevokeKeyReply;
}

/** A method for each operation. It rejects for what is not declared (`UnexpectedResponseError`), failures of the network, and an aborted signal. */
export interface Client {
  /**
   * List pets
   *
   * The pets of the account, oldest first.
   */
  listPets(input?: ListPetsInput, call?: CallOptions): Promise<ListPetsReply>;
  /**
   * Create a pet
   *
   * Creates a pet in one of the account's categories. Its stock starts at 0.
   */
  createPet(input: CreatePetInput, call?: CallOptions): Promise<CreatePetReply>;
  /**
   * Read a pet (deprecated)
   *
   * Use `GET /store/pets/{petId}`, which answers with the same body.
   * @deprecated Use getStorePet.
   */
  getPet(input: GetPetInput, call?: CallOptions): Promise<GetPetReply>;
  /**
   * Replace a pet
   *
   * Replaces every field of the pet. Never creates one.
   */
  replacePet(input: ReplacePetInput, call?: CallOptions): Promise<ReplacePetReply>;
  /**
   * Delete a pet
   *
   * Deletes the pet, its stock and its photos. A pet with open orders stays; complete orders keep its id.
   */
  deletePet(input: DeletePetInput, call?: CallOptions): Promise<DeletePetReply>;
  /**
   * Change single fields of a pet
   *
   * A JSON Merge Patch (RFC 7396). Fields that are not in the body stay as they are.
   */
  updatePet(input: UpdatePetInput, call?: CallOptions): Promise<UpdatePetReply>;
  /**
   * List categories
   *
   * The categories of the account, oldest first.
   */
  listCategories(input?: ListCategoriesInput, call?: CallOptions): Promise<ListCategoriesReply>;
  /**
   * Create a category
   *
   * Creates a category, a kind of animal.
   */
  createCategory(input: CreateCategoryInput, call?: CallOptions): Promise<CreateCategoryReply>;
  /**
   * Read a category
   *
   * Reads one category.
   */
  getCategory(input: GetCategoryInput, call?: CallOptions): Promise<GetCategoryReply>;
  /**
   * Replace a category
   *
   * Replaces every field of the category. Never creates one.
   */
  replaceCategory(input: ReplaceCategoryInput, call?: CallOptions): Promise<ReplaceCategoryReply>;
  /**
   * Delete a category
   *
   * Deletes the category. One that still has pets stays.
   */
  deleteCategory(input: DeleteCategoryInput, call?: CallOptions): Promise<DeleteCategoryReply>;
  /**
   * Change single fields of a category
   *
   * A JSON Merge Patch (RFC 7396). Fields that are not in the body stay as they are; `description: null` removes
   * the description.
   */
  updateCategory(input: UpdateCategoryInput, call?: CallOptions): Promise<UpdateCategoryReply>;
  /**
   * Read a pet
   *
   * Reads one pet.
   */
  getStorePet(input: GetStorePetInput, call?: CallOptions): Promise<GetStorePetReply>;
  /**
   * List the photos of a pet
   *
   * What is known of the photos of a pet, oldest first. `GET /store/pets/{petId}/photos/{photoId}` has their bytes.
   */
  listPhotos(input: ListPhotosInput, call?: CallOptions): Promise<ListPhotosReply>;
  /**
   * Upload a photo of a pet
   *
   * A JPEG, PNG, GIF or WebP image of at most 5 MiB, as a form sends a file. Its type is found by looking at its bytes, whatever is said
   * of it; what is none of these is refused (`invalid_image`). The photos of an account have at most 50 MiB in all, those that are being
   * uploaded included. The upload cannot be repeated by a key: a client that has had no answer looks at the list.
   */
  createPhoto(input: CreatePhotoInput, call?: UploadOptions): Promise<CreatePhotoReply>;
  /**
   * Download a photo
   *
   * The bytes of a photo, with the type that was found by looking at them. They never change: the `ETag` is made of them. A part is asked for
   * with `Range`; several ranges at once are not served. A browser shows a photo, and runs nothing of it.
   */
  getPhoto(input: GetPhotoInput, call?: CallOptions): Promise<GetPhotoReply>;
  /**
   * Delete a photo
   *
   * Deletes a photo. Its bytes do not count for the quota of the account any more.
   */
  deletePhoto(input: DeletePhotoInput, call?: CallOptions): Promise<DeletePhotoReply>;
  /**
   * List orders
   *
   * The orders of the account, oldest first.
   */
  listOrders(input?: ListOrdersInput, call?: CallOptions): Promise<ListOrdersReply>;
  /**
   * Create an order
   *
   * `{}` is a draft. With a `petId` (`quantity` is 1 if it is not given) the units are taken from the pet's stock at
   * once: either the order is made and the units are reserved, or neither. The last unit makes the pet `pending`. A pet
   * that is `sold` cannot be ordered.
   */
  createOrder(input: CreateOrderInput, call?: CallOptions): Promise<CreateOrderReply>;
  /**
   * Read an order
   *
   * Reads one order.
   */
  getOrder(input: GetOrderInput, call?: CallOptions): Promise<GetOrderReply>;
  /**
   * Cancel an order
   *
   * Deletes an open order and releases its units. A complete order stays.
   */
  deleteOrder(input: DeleteOrderInput, call?: CallOptions): Promise<DeleteOrderReply>;
  /**
   * Change or complete an order
   *
   * A JSON Merge Patch (RFC 7396). What changes is reserved or released in the same step. `complete: true` fulfils
   * the order, for good: after that only `shipDate` may change. The last order completed when the stock is 0 makes the
   * pet `sold`. `null` removes `petId`, `quantity` or `shipDate`.
   */
  updateOrder(input: UpdateOrderInput, call?: CallOptions): Promise<UpdateOrderReply>;
  /**
   * List the inventory
   *
   * One entry for each pet of the account, oldest pet first.
   */
  listInventory(input?: ListInventoryInput, call?: CallOptions): Promise<ListInventoryReply>;
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
  listenToInventory(input?: ListenToInventoryInput, call?: CallOptions): Promise<ListenToInventoryReply>;
  /**
   * Read the stock of a pet
   *
   * The units that can still be ordered. Units reserved by open orders are not among them.
   */
  getInventory(input: GetInventoryInput, call?: CallOptions): Promise<GetInventoryReply>;
  /**
   * Set the stock of a pet
   *
   * Sets how many units can be ordered from now on; what open orders hold is not part of it. A pet that was out of
   * stock becomes `available` again.
   */
  setInventory(input: SetInventoryInput, call?: CallOptions): Promise<SetInventoryReply>;
  /**
   * Create an account
   *
   * Creates an account on the Free plan and its first API key. The key is shown this once. A sign-up weighs as much as ten other
   * requests of an IP address, which may send five in a minute and twenty in a day, whatever becomes of them. Where the operator
   * has sign-ups confirmed by mail it is not served: `POST /sign-ups`.
   */
  createAccount(input: CreateAccountInput, call?: CallOptions): Promise<CreateAccountReply>;
  /**
   * Sign up by mail
   *
   * Where the operator has sign-ups confirmed by mail: has a mail with a token sent to the address. The answer is the same whether the
   * address has an account or not. It weighs as much as `POST /accounts`. Elsewhere it is not served.
   */
  requestSignUp(input: RequestSignUpInput, call?: CallOptions): Promise<RequestSignUpReply>;
  /**
   * Confirm a sign-up
   *
   * Creates the account that the token of a mail is for, on the Free plan, and its first API key. The key is shown this once. A token is
   * valid for a day.
   */
  confirmSignUp(input: ConfirmSignUpInput, call?: CallOptions): Promise<ConfirmSignUpReply>;
  /**
   * Read your account
   *
   * The account that the API key belongs to.
   */
  getAccount(input?: GetAccountInput, call?: CallOptions): Promise<GetAccountReply>;
  /**
   * Read the rate limits
   *
   * Both windows of the calling account, and the ban of the calling key if there is one. Costs nothing, and is
   * answered when nothing is left and to a banned key too. While the counters cannot be read each server limits by
   * what it knows, and this is `503`: a guess would not be the account's limits.
   */
  getRateLimit(input?: GetRateLimitInput, call?: CallOptions): Promise<GetRateLimitReply>;
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
  sendMessage(input: SendMessageInput, call?: CallOptions): Promise<SendMessageReply>;
  /**
   * Send failed messages again
   *
   * Queues the messages of the account again that are `failed`, under their ids, as if they were new: for a webhook that was away for longer
   * than messages are tried. A receiver that has taken one before knows it by its `webhook-id`.
   */
  replayMessages(input: ReplayMessagesInput, call?: CallOptions): Promise<ReplayMessagesReply>;
  /**
   * Read a message
   *
   * The message and how far it is.
   */
  getMessage(input: GetMessageInput, call?: CallOptions): Promise<GetMessageReply>;
  /**
   * Read your webhook
   *
   * Where messages are delivered. The secret is not shown again.
   */
  getWebhook(input?: GetWebhookInput, call?: CallOptions): Promise<GetWebhookReply>;
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
  setWebhook(input: SetWebhookInput, call?: CallOptions): Promise<SetWebhookReply>;
  /**
   * Remove your webhook
   *
   * Messages are not delivered any more. Those that are still queued become `failed` once they are processed, and can be sent again by
   * `POST /messages/replays` after a webhook was set.
   */
  deleteWebhook(input?: DeleteWebhookInput, call?: CallOptions): Promise<DeleteWebhookReply>;
  /**
   * List API keys
   *
   * The account's API keys, oldest first, without their secrets. Keys that were revoked are not among them; keys
   * that have expired are, until they are removed, 90 days later.
   */
  listKeys(input?: ListKeysInput, call?: CallOptions): Promise<ListKeysReply>;
  /**
   * Create an API key
   *
   * Creates another key of the account, with the scopes of the API key that asks for it. The key itself is in this answer only: it is shown once and kept nowhere.
   * An account has at most 100 valid keys.
   */
  createKey(input: CreateKeyInput, call?: CallOptions): Promise<CreateKeyReply>;
  /**
   * Replace an API key
   *
   * Creates a key of the same name and the same end in the place of this one, which stays valid for the grace period
   * and not longer. The new key is in this answer only, and in that to a retry with the same `Idempotency-Key`: its
   * hash is all that is kept. A retry needs a valid key too: without a grace period, send both with another key than the
   * one that is replaced. An API key that is restricted to scopes replaces only keys whose scopes it has.
   */
  rotateKey(input: RotateKeyInput, call?: CallOptions): Promise<RotateKeyReply>;
  /**
   * Read an API key
   *
   * What is known of one key. Its secret is not.
   */
  getKey(input: GetKeyInput, call?: CallOptions): Promise<GetKeyReply>;
  /**
   * Revoke an API key
   *
   * Ends a key at once, wherever it is used. A key may revoke itself. The last key that is valid and not replaced
   * stays, or nobody could call for the account any more: create another first, or rotate it. An API key that is
   * restricted to scopes revokes only keys whose scopes it has.
   */
  revokeKey(input: RevokeKeyInput, call?: CallOptions): Promise<RevokeKeyReply>;
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
const O15: Operation<"createPhoto"> = { "id":"createPhoto","method":"POST","path":"/store/pets/{petId}/photos","security":[["bearerAuth"]],"parameters":[["path","petId"]],"body":["multipart/form-data"], responses: { "201": R19, "400": R2, "401": R3, "404": R2, "409": R20, "413": R20, "429": R4, "500": R2, "503": R5 }, writeMultipart, sendUpload };
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

/** What the service sends: the payload of each webhook and callback. */
export interface WebhookPayloads {
  "messageCreated": MessageCreated;
  "signUpRequested": SignUpRequested;
}

const WEBHOOKS: Readonly<Record<keyof WebhookPayloads, WebhookEntry>> = {
  "messageCreated": {"tags":{"type":["message.created"]},"required":["type","timestamp","data"]},
  "signUpRequested": {"tags":{"type":["sign_up.requested"]},"required":["type","timestamp","data"]},
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

/**
 * How many bytes of a body have been sent, from 0 for each attempt; `total` is `undefined` if only the end will tell.
 */
export type UploadProgress = (sent: number, total: number | undefined) => void;

/** Of an operation that takes files. */
export interface UploadOptions extends CallOptions {
  readonly onUploadProgress?: UploadProgress | undefined;
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
  /** What sends a body whose progress is asked for. */
  readonly sendUpload?: (
    url: string,
    init: RequestInit,
    onProgress: UploadProgress,
    onThrown: (error: unknown) => void,
    custom?: typeof fetch,
  ) => Promise<Response>;
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

/** The arguments of a method, with other options. */
export type ArgumentsWith<Options, Args extends readonly unknown[]> = Args extends readonly [infer Input, CallOptions?]
  ? [input: Input, options?: Options]
  : [input?: Args[0], options?: Options];

/** Optional properties may be given as `undefined`, also where `exactOptionalPropertyTypes` is on. */
export type Given<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

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

/** A list, or items that are asked for as they are sent. */
export type SentItems<Item> = AsyncIterable<Item> | Iterable<Item>;

/** A body that is neither JSON nor a form. */
export type SentBytes = string | Blob | ArrayBuffer | Uint8Array;

/** The headers of a declared response; `Optional` are those that may be absent. */
export type HeadersOf<R, Optional = never> = R extends { headers: infer H }
  ? { readonly [N in keyof H as string extends N ? never : N extends Optional ? never : N]-?: NonNullable<H[N]> } & {
      readonly [N in keyof H as string extends N ? never : N extends Optional ? N : never]?: H[N] | undefined;
    }
  : object;

/** The events of the successes among results. */
export type EventsOf<R> = R extends {
  readonly ok: true;
  readonly contentType: `text/event-stream${string}`;
  readonly body: AsyncIterable<infer Item>;
}
  ? Item
  : never;

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

// ---- Sends a body and reports how much of it has been sent: `fetch` does not tell.

/** What is used of XMLHttpRequest, which not every project declares. */
interface UploadRequest {
  readonly upload: { onprogress?: (event: { loaded: number; total: number; lengthComputable: boolean }) => void };
  readonly response: Blob;
  readonly responseURL: string;
  readonly status: number;
  responseType: string;
  withCredentials: boolean;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  abort(): void;
  getAllResponseHeaders(): string;
  open(method: string, url: string): void;
  send(body: unknown): void;
  setRequestHeader(name: string, value: string): void;
}

/**
 * In browsers XMLHttpRequest sends it; elsewhere the chunks of a stream are counted as `fetch` takes them. Where there is neither, it reports
 * the begin and the end.
 *
 * @param onThrown gets what `onProgress` has thrown, which ends the upload.
 */
async function sendUpload(
  url: string,
  init: RequestInit,
  onProgress: UploadProgress,
  onThrown: (error: unknown) => void,
  custom?: typeof fetch,
): Promise<Response> {
  // A connection that was given up takes bytes for a while.
  let isOver = false;
  const report: UploadProgress = (...progress) => {
    if (isOver) return;
    try {
      onProgress(...progress);
    } catch (error) {
      isOver = true;
      onThrown(error);
      throw error;
    }
  };
  try {
    return await sendReported(url, init, report, custom);
  } finally {
    isOver = true;
  }
}

async function sendReported(url: string, init: RequestInit, onProgress: UploadProgress, custom?: typeof fetch): Promise<Response> {
  const body = init.body as Exclude<RequestInit['body'], undefined>;
  const { XMLHttpRequest: Sender } = globalThis as unknown as { XMLHttpRequest?: new () => UploadRequest };
  const isStream = body instanceof ReadableStream;
  if (Sender && custom === undefined && !isStream) return sendByRequest(new Sender(), url, init, onProgress);
  const send = custom ?? fetch;
  const total = sizeOf(body);
  onProgress(0, total);
  if (!isStream && !sendsStreams()) {
    const response = await send(url, init);
    if (response.ok && total !== undefined) onProgress(total, total);
    return response;
  }
  // Any body as a stream of its bytes; the boundary of a FormData is in its Content-Type.
  const { body: bytes, headers: made } = new Response(body);
  const headers = new Headers(init.headers);
  if (!headers.has('Content-Type')) headers.set('Content-Type', made.get('Content-Type') ?? 'application/octet-stream');
  const counted = await streamBody(countBytes(bytes ?? new Blob([]).stream(), (sent) => onProgress(sent, total)));
  // Not every declaration of `fetch` knows it.
  const half = { duplex: 'half' } as const;
  return send(url, { ...init, headers, body: counted.body, ...half });
}

/** The most bytes that are sent before it is told, in bytes. */
const STEP = 65_536;

async function* countBytes(bytes: ReadableStream<Uint8Array>, report: (sent: number) => void): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of chunksOf(bytes))
    for (let at = 0; at < chunk.byteLength; at += STEP) {
      const part = chunk.subarray(at, at + STEP);
      yield part;
      report((sent += part.byteLength));
    }
}

/** In bytes; `undefined` if only the end will tell. */
function sizeOf(body: unknown): number | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body).byteLength;
  const { size, byteLength } = body as { readonly size?: number; readonly byteLength?: number };
  return size ?? byteLength;
}

/** It follows redirects, other than `fetch` of this client. */
function sendByRequest(request: UploadRequest, url: string, init: RequestInit, onProgress: UploadProgress): Promise<Response> {
  const { method = 'POST', body, credentials, signal } = init;
  return new Promise((resolve, reject) => {
    const stop = () => request.abort();
    const end = (callback: () => void) => () => {
      signal?.removeEventListener('abort', stop);
      callback();
    };
    request.open(method, url);
    request.responseType = 'blob';
    request.withCredentials = credentials === 'include';
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      try {
        onProgress(loaded, lengthComputable ? total : undefined);
      } catch (error) {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the caller has thrown
        reject(error);
        request.abort();
      }
    };
    request.onload = end(() => resolve(responseOf(request)));
    request.onerror = end(() => reject(new TypeError('Failed to fetch')));
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason of the caller, as fetch does
    request.onabort = end(() => reject(signal?.reason));
    if (signal?.aborted === true) return request.onabort();
    signal?.addEventListener('abort', stop);
    onProgress(0, sizeOf(body));
    request.send(body);
  });
}

/** As `fetch` would give it: its address and whether headers may be hidden are for readers of replies. */
function responseOf(request: UploadRequest): Response {
  const { location } = globalThis as { location?: { origin: string } };
  const { status, responseURL: url } = request;
  const lines = request.getAllResponseHeaders().trim().split('\r\n').filter(Boolean);
  const headers = lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  const response = new Response([204, 205, 304].includes(status) ? null : request.response, { status, headers });
  const type = new URL(url).origin === location?.origin ? 'basic' : 'cors';
  return Object.defineProperties(response, { url: { value: url }, type: { value: type } });
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

// ---- Sends a request again when the server asks for it by `Retry-After`, if it can be repeated.

/** Methods that can be repeated (RFC 9110, section 9.2.2; RFC 10008, section 2); `fetch` sends no TRACE. */
const IDEMPOTENT = /^(GET|HEAD|PUT|DELETE|OPTIONS|QUERY)$/;

/** Whether a request may be sent twice: it is idempotent, or has a key that makes it so. */
const isRepeatable = (method: string, headers: Headers): boolean => IDEMPOTENT.test(method) || headers.has('Idempotency-Key');

/** @param send sends the request once. @param read reads its response. @param isRepeatable after a failure. @throws what they throw, and the reason of `signal`. */
async function sendWithRetries<T>(
  send: () => Promise<Response>,
  read: (response: Response) => Promise<T>,
  isRepeatable: () => boolean,
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
      const isAsked = response.status === 429 || (response.status === 503 && isRepeatable());
      delay = retryAfter(response) ?? delay;
      if (attempt >= attempts || !isAsked || delay > maxDelayMs) return await read(response);
      dropBody(response);
      cause = response;
    } catch (error) {
      if (attempt >= attempts || !isRepeatable() || signal?.aborted === true || (isRead && !(error instanceof NetworkError))) throw error;
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
    // Of a response that somebody has cloned it would wait for the other one to be read.
    void reader.cancel().catch(() => undefined);
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

/** Frees the connection. It is not waited for: of a response that was cloned, as MSW does, only both end it. */
const dropBody = ({ body }: Response): void => void body?.cancel().catch(() => undefined);

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
  if (!hasBody) dropBody(response);
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
    const { onUploadProgress }: UploadOptions = call;
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
    /** What the function for the progress has thrown: it ends the call, and is no failure of the network. */
    let thrown: [error: unknown] | undefined;
    const send = async () => {
      deadline.start();
      try {
        await options.onRequest?.({ operation: id, method, url: target, headers });
        if (operation.sendUpload && onUploadProgress)
          return await operation.sendUpload(target, init, onUploadProgress, (error) => (thrown = [error]), options.fetch);
        return await (options.fetch ?? fetch)(target, init);
      } catch (error) {
        throw thrown ? thrown[0] : networkErrorOf(error);
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
        dropBody(response);
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
      const sendAll = () => sendWithRetries(send, read, () => !thrown && isRepeatable(method, headers), retry, signal, onRetry);
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
  const isObject = typeof body === 'object' && body !== null;
  const isJson = /[/+]json\s*(;|$)/.test(contentType) || contentType === '*/*' || contentType === 'application/*';
  if (writeMultipart && /^multipart\/form-data/i.test(contentType) && isObject && !(body instanceof FormData)) {
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
  if (writeForm && /^application\/x-www-form-urlencoded/i.test(contentType) && isObject)
    return { body: writeForm(body, forms?.[contentType]) };
  return { body: body as WrittenBody['body'], isStream: isObject && 'getReader' in body };
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
