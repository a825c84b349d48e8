/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */

/** Identifies the spec that this was generated from. The server refuses to start with another one. */
export const specDigest = '52b0abcad1e35235b812d031fc4a23f8876a91fd0b3a761334124c66c62500ef';

/** Each operation without its schemas, by operationId. See `Operation` in @specwright/server. */
export const operations = {
  "listPets": {
    "method": "get",
    "path": "/pets",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Link": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "createPet": {
    "method": "post",
    "path": "/pets",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getPet": {
    "method": "get",
    "path": "/pets/{petId}",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": null,
    "deprecation": {
      "since": "2026-11-01",
      "sunset": "2027-12-31",
      "successor": "getStorePet"
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
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true,
          "Deprecation": true,
          "Sunset": true,
          "Link": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true,
          "Deprecation": true,
          "Sunset": true,
          "Link": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Deprecation": true,
          "Sunset": true,
          "Link": true
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Deprecation": true,
          "Sunset": true,
          "Link": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Deprecation": true,
          "Sunset": true,
          "Link": true
        }
      },
      "410": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Deprecation": true,
          "Sunset": true,
          "Link": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Deprecation": true,
          "Sunset": true,
          "Link": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Deprecation": false,
          "Sunset": false,
          "Link": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Deprecation": false,
          "Sunset": false,
          "Link": false,
          "Retry-After": true
        }
      }
    }
  },
  "replacePet": {
    "method": "put",
    "path": "/pets/{petId}",
    "security": [
      [
        "bearerAuth"
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
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "deletePet": {
    "method": "delete",
    "path": "/pets/{petId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "updatePet": {
    "method": "patch",
    "path": "/pets/{petId}",
    "security": [
      [
        "bearerAuth"
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
        "application/json",
        "application/merge-patch+json"
      ]
    },
    "responses": {
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "listCategories": {
    "method": "get",
    "path": "/categories",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Link": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "createCategory": {
    "method": "post",
    "path": "/categories",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getCategory": {
    "method": "get",
    "path": "/categories/{categoryId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "replaceCategory": {
    "method": "put",
    "path": "/categories/{categoryId}",
    "security": [
      [
        "bearerAuth"
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
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "deleteCategory": {
    "method": "delete",
    "path": "/categories/{categoryId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "updateCategory": {
    "method": "patch",
    "path": "/categories/{categoryId}",
    "security": [
      [
        "bearerAuth"
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
        "application/json",
        "application/merge-patch+json"
      ]
    },
    "responses": {
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getStorePet": {
    "method": "get",
    "path": "/store/pets/{petId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "listPhotos": {
    "method": "get",
    "path": "/store/pets/{petId}/photos",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": "experimental",
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Link": false,
          "X-Stability": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "createPhoto": {
    "method": "post",
    "path": "/store/pets/{petId}/photos",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": "experimental",
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
      "201": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "X-Stability": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": true
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getPhoto": {
    "method": "get",
    "path": "/store/pets/{petId}/photos/{photoId}",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": "experimental",
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
          "image/jpeg",
          "image/png",
          "image/gif",
          "image/webp"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true,
          "X-Stability": true,
          "Content-Security-Policy": true,
          "Accept-Ranges": false,
          "Content-Disposition": false
        }
      },
      "206": {
        "types": [
          "image/jpeg",
          "image/png",
          "image/gif",
          "image/webp"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": true,
          "Content-Security-Policy": true,
          "Accept-Ranges": false,
          "Content-Disposition": false,
          "ETag": true,
          "Content-Range": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true,
          "X-Stability": true,
          "Content-Security-Policy": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "416": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": true,
          "Content-Range": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "deletePhoto": {
    "method": "delete",
    "path": "/store/pets/{petId}/photos/{photoId}",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": "experimental",
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "listOrders": {
    "method": "get",
    "path": "/store/orders",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Link": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "createOrder": {
    "method": "post",
    "path": "/store/orders",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getOrder": {
    "method": "get",
    "path": "/store/orders/{orderId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "deleteOrder": {
    "method": "delete",
    "path": "/store/orders/{orderId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "updateOrder": {
    "method": "patch",
    "path": "/store/orders/{orderId}",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": "beta",
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
        "application/json",
        "application/merge-patch+json"
      ]
    },
    "responses": {
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true,
          "X-Stability": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": true
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "listInventory": {
    "method": "get",
    "path": "/store/inventory",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": "experimental",
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Link": false,
          "X-Stability": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "listenToInventory": {
    "method": "get",
    "path": "/store/inventory/events",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": "experimental",
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
          "text/event-stream"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getInventory": {
    "method": "get",
    "path": "/store/inventory/{petId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "setInventory": {
    "method": "put",
    "path": "/store/inventory/{petId}",
    "security": [
      [
        "bearerAuth"
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
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "createAccount": {
    "method": "post",
    "path": "/accounts",
    "security": [],
    "stability": null,
    "deprecation": null,
    "cost": 10,
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "requestSignUp": {
    "method": "post",
    "path": "/sign-ups",
    "security": [],
    "stability": null,
    "deprecation": null,
    "cost": 10,
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
      "204": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "confirmSignUp": {
    "method": "post",
    "path": "/sign-ups/confirmations",
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
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getAccount": {
    "method": "get",
    "path": "/account",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getRateLimit": {
    "method": "get",
    "path": "/rate-limit",
    "security": [
      [
        "bearerAuth"
      ]
    ],
    "stability": null,
    "deprecation": null,
    "cost": 0,
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
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "sendMessage": {
    "method": "post",
    "path": "/messages",
    "security": [
      [
        "bearerAuth"
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
      "202": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "replayMessages": {
    "method": "post",
    "path": "/messages/replays",
    "security": [
      [
        "bearerAuth"
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
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getMessage": {
    "method": "get",
    "path": "/messages/{messageId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getWebhook": {
    "method": "get",
    "path": "/account/webhook",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "setWebhook": {
    "method": "put",
    "path": "/account/webhook",
    "security": [
      [
        "bearerAuth"
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
      "200": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "deleteWebhook": {
    "method": "delete",
    "path": "/account/webhook",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "listKeys": {
    "method": "get",
    "path": "/account/keys",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Link": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "createKey": {
    "method": "post",
    "path": "/account/keys",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "rotateKey": {
    "method": "post",
    "path": "/account/keys/{keyId}/rotation",
    "security": [
      [
        "bearerAuth"
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
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Location": true,
          "ETag": true,
          "Idempotent-Replayed": false
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "403": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": false
        }
      },
      "413": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "getKey": {
    "method": "get",
    "path": "/account/keys/{keyId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "304": {
        "types": [],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "ETag": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  },
  "revokeKey": {
    "method": "delete",
    "path": "/account/keys/{keyId}",
    "security": [
      [
        "bearerAuth"
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
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "400": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "401": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "403": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "WWW-Authenticate": true
        }
      },
      "404": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "409": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true
        }
      },
      "412": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "429": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "Retry-After": true
        }
      },
      "500": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false
        }
      },
      "503": {
        "types": [
          "application/json"
        ],
        "headers": {
          "X-Request-Id": true,
          "X-RateLimit-Limit": true,
          "X-RateLimit-Remaining": true,
          "X-RateLimit-Reset": true,
          "RateLimit": true,
          "RateLimit-Policy": true,
          "X-Stability": false,
          "Retry-After": true
        }
      }
    }
  }
} as const;

/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (`x-rate-limit-plans`). */
export const rateLimitPlans = {
  "plans": {
    "free": {
      "minute": 60,
      "day": 1000
    },
    "pro": {
      "minute": 300,
      "day": 10000
    },
    "business": {
      "minute": 1000,
      "day": 100000
    },
    "enterprise": {
      "minute": 1000,
      "day": 100000,
      "custom": true
    }
  },
  "address": {
    "minute": 60,
    "day": 5000
  },
  "operations": {
    "createAccount": {
      "minute": 5,
      "day": 20
    },
    "requestSignUp": {
      "minute": 5,
      "day": 20
    }
  }
} as const;
