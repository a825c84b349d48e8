/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = '13a7855cc68c685f0aeaa07df5bd38b01a6dc43cfbbeb5378783150c6d47bb7b';

/** Each operation without its schemas, by operationId. See `Operation` in @specwright/server. */
export const operations = {
  "createNote": {
    "method": "post",
    "path": "/notes",
    "security": [
      [
        "token"
      ]
    ],
    "stability": null,
    "deprecation": null,
    "cost": 1,
    "defaults": {
      "query": [],
      "header": [],
      "cookie": []
    },
    "body": {
      "required": true,
      "types": [
        "application/json"
      ]
    },
    "responses": {
      "201": {
        "types": [
          "application/json"
        ],
        "headers": {
          "Location": true
        }
      }
    }
  },
  "getNote": {
    "method": "get",
    "path": "/notes/{noteId}",
    "security": [
      [
        "token"
      ]
    ],
    "stability": null,
    "deprecation": null,
    "cost": 1,
    "defaults": {
      "query": [],
      "header": [],
      "cookie": []
    },
    "body": null,
    "responses": {
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {}
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {}
      }
    }
  }
} as const;

/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (`x-rate-limit-plans`). */
export const rateLimitPlans = null;
