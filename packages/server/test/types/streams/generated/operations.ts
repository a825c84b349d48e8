/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = '8f097536e2139b61fa5e299d0b0f88f97f1468030cc0425337d144c8e24b787d';

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
  "replaceStocks": {
    "method": "put",
    "path": "/stocks",
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
      "required": false,
      "types": [
        "application/x-ndjson"
      ]
    },
    "responses": {
      "204": {
        "types": [],
        "headers": {}
      }
    }
  },
  "importStocks": {
    "method": "post",
    "path": "/stocks",
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
        "application/jsonl",
        "application/json-seq"
      ]
    },
    "responses": {
      "204": {
        "types": [],
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
  },
  "addAlbum": {
    "method": "post",
    "path": "/albums",
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
        "multipart/form-data"
      ]
    },
    "responses": {
      "204": {
        "types": [],
        "headers": {}
      }
    }
  },
  "addScan": {
    "method": "post",
    "path": "/scans",
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
      "required": false,
      "types": [
        "application/json",
        "multipart/form-data"
      ]
    },
    "responses": {
      "204": {
        "types": [],
        "headers": {}
      }
    }
  },
  "addNote": {
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
        "multipart/form-data"
      ]
    },
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
