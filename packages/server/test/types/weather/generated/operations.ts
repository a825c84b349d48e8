/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = '06b9ef40c39ae4026dbf2f2172ec885df62ed0c1e164feccbe43ae8731e846d4';

/** Each operation without its schemas, by operationId. See `Operation` in @specwright/server. */
export const operations = {
  "getForecast": {
    "method": "get",
    "path": "/forecast",
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
  "getBook": {
    "method": "get",
    "path": "/books/{isbn}",
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
  }
} as const;

/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (`x-rate-limit-plans`). */
export const rateLimitPlans = null;
