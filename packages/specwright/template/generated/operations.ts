/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = 'd3d92cefd1914210ed31ab7d3114227c389345bea111d8b1759bef5ad03c0670';

/** Each operation without its schemas, by operationId. See `Operation` in @specwright/server. */
export const operations = {
  "createThing": {
    "method": "post",
    "path": "/things",
    "security": [
      [
        "templateKey"
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
        "headers": {}
      },
      "default": {
        "types": [
          "application/json"
        ],
        "headers": {}
      }
    }
  },
  "getThing": {
    "method": "get",
    "path": "/things/{thingId}",
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
      },
      "default": {
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
