/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = '3c7c193285fbcad738f4e5f281d398112adcd40c7a32b98a0cb4d7e55c2fb7b3';

/** Each operation without its schemas, by operationId. See `Operation` in @specwright/server. */
export const operations = {
  "listNotes": {
    "method": "get",
    "path": "/notes",
    "security": [],
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
      }
    }
  },
  "createNote": {
    "method": "post",
    "path": "/notes",
    "security": [],
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
  }
} as const;

/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (`x-rate-limit-plans`). */
export const rateLimitPlans = null;
