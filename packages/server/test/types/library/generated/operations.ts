/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = 'bbe0f75008845247c74051a35f783a8e4f1e301d437b35f245862f08784b377d';

/** Each operation without its schemas, by operationId. See `Operation` in @specwright/server. */
export const operations = {
  "listBooks": {
    "method": "get",
    "path": "/books",
    "security": [
      [
        "key"
      ]
    ],
    "stability": null,
    "deprecation": null,
    "cost": 1,
    "defaults": {
      "query": [
        "limit"
      ],
      "header": [],
      "cookie": []
    },
    "body": null,
    "responses": {
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "Link": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {}
      }
    }
  },
  "createBook": {
    "method": "post",
    "path": "/books",
    "security": [
      [
        "key"
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
          "X-Request-Id": true,
          "Location": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {}
      }
    }
  },
  "getBook": {
    "method": "get",
    "path": "/books/{bookId}",
    "security": [
      [
        "key"
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
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "ETag": true
        }
      },
      "4XX": {
        "types": [
          "application/json"
        ],
        "headers": {}
      }
    }
  },
  "deleteBook": {
    "method": "delete",
    "path": "/books/{bookId}",
    "security": [
      [
        "key"
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
      "204": {
        "types": [],
        "headers": {}
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {}
      }
    }
  },
  "updateBook": {
    "method": "patch",
    "path": "/books/{bookId}",
    "security": [
      [
        "key"
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
      "required": false,
      "types": [
        "application/json"
      ]
    },
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
  },
  "getOldBook": {
    "method": "get",
    "path": "/b/{bookId}",
    "security": [
      [
        "key"
      ]
    ],
    "stability": null,
    "deprecation": {
      "since": null,
      "sunset": null,
      "successor": "getBook"
    },
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
        "headers": {
          "Link": true
        }
      }
    }
  },
  "getCover": {
    "method": "get",
    "path": "/books/{bookId}/cover",
    "security": [
      [
        "key"
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
          "image/png",
          "application/json"
        ],
        "headers": {}
      }
    }
  },
  "putCover": {
    "method": "put",
    "path": "/books/{bookId}/cover",
    "security": [
      [
        "key"
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
        "image/png"
      ]
    },
    "responses": {
      "204": {
        "types": [],
        "headers": {}
      }
    }
  },
  "putText": {
    "method": "put",
    "path": "/books/{bookId}/text",
    "security": [
      [
        "key"
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
      "required": false,
      "types": [
        "application/pdf",
        "text/plain",
        "text/csv"
      ],
      "streams": [
        "application/pdf",
        "text/csv"
      ]
    },
    "responses": {
      "204": {
        "types": [],
        "headers": {}
      }
    }
  },
  "signUp": {
    "method": "post",
    "path": "/readers",
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
        "headers": {}
      }
    }
  }
} as const;

/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (`x-rate-limit-plans`). */
export const rateLimitPlans = {
  "plans": {
    "reader": {
      "minute": 60,
      "day": 1000
    }
  },
  "address": {
    "minute": 60,
    "day": 1000
  }
} as const;
