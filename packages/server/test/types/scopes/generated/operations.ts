/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = 'ad15049b795752dc120f26406c50a7339e0b939be4e951c5820af6f86bba4ed3';

/** Each operation without its schemas, by operationId. See `Operation` in @specwright/server. */
export const operations = {
  "listSongs": {
    "method": "get",
    "path": "/songs",
    "security": [
      [
        "oauth"
      ],
      [
        "key"
      ]
    ],
    "scopes": {
      "oauth": [
        "songs:read"
      ],
      "key": [
        "reader"
      ]
    },
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
      "204": {
        "types": [],
        "headers": {}
      }
    }
  },
  "addSong": {
    "method": "post",
    "path": "/songs",
    "security": [
      [
        "oauth"
      ],
      [
        "oauth"
      ]
    ],
    "scopes": {
      "oauth": [
        "songs:read",
        "songs:write",
        "admin"
      ]
    },
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
      "204": {
        "types": [],
        "headers": {}
      }
    }
  },
  "getCharts": {
    "method": "get",
    "path": "/charts",
    "security": [
      [
        "login",
        "oauth"
      ],
      []
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
      "204": {
        "types": [],
        "headers": {}
      }
    }
  }
} as const;

/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (`x-rate-limit-plans`). */
export const rateLimitPlans = null;
