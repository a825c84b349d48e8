/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = 'db7eb7244cf887e5c02433475448883453c3ed54226244c6c34111c20290be6f';

/** Each operation without its schemas, by operationId. See `Operation` in @specwright/server. */
export const operations = {
  "listen": {
    "method": "get",
    "path": "/events",
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
          "text/event-stream",
          "application/jsonl"
        ],
        "headers": {}
      }
    }
  },
  "getFile": {
    "method": "get",
    "path": "/files/{id}",
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
          "image/png"
        ],
        "headers": {}
      }
    }
  }
} as const;

/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (`x-rate-limit-plans`). */
export const rateLimitPlans = null;
