// Written from the descriptions of the kinds of records; a test compares it.
export const kindFacts = {
  "auth_provider": {
    "path": "/auth-providers",
    "page": "/admin/people/providers",
    "fields": {
      "key": {
        "type": "text",
        "initial": "",
        "isOnce": true
      },
      "kind": {
        "type": "choice",
        "initial": "google",
        "choices": [
          "google",
          "github",
          "oidc"
        ],
        "isOnce": true
      },
      "name": {
        "type": "text",
        "initial": ""
      },
      "issuer": {
        "type": "url",
        "initial": ""
      },
      "clientId": {
        "type": "text",
        "initial": ""
      },
      "clientSecret": {
        "type": "text",
        "initial": "",
        "isLong": true
      },
      "allowedDomains": {
        "type": "texts",
        "initial": ""
      },
      "roleId": {
        "type": "reference",
        "initial": ""
      },
      "enabled": {
        "type": "flag",
        "initial": true
      }
    }
  },
  "role": {
    "path": "/roles",
    "page": "/admin/people/roles/{id}",
    "fields": {
      "name": {
        "type": "text",
        "initial": ""
      },
      "description": {
        "type": "text",
        "initial": ""
      },
      "apiAccess": {
        "type": "flag",
        "initial": true
      },
      "tokenCreation": {
        "type": "flag",
        "initial": false
      }
    }
  },
  "user": {
    "path": "/users",
    "page": "/admin/people/users/{id}",
    "fields": {
      "email": {
        "type": "email",
        "initial": ""
      },
      "name": {
        "type": "text",
        "initial": ""
      },
      "password": {
        "type": "text",
        "initial": "",
        "isLong": true,
        "isOnce": true
      },
      "active": {
        "type": "flag",
        "initial": true
      },
      "emailVerified": {
        "type": "flag",
        "initial": false
      },
      "timeZone": {
        "type": "text",
        "initial": ""
      },
      "language": {
        "type": "text",
        "initial": ""
      }
    }
  }
} as const;
