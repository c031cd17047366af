// Generated from the service's OpenAPI document by `npm run types:client`.

export type Consent = {
  kind: "CONSENT";
  client: {
    id: string;
    name: string;
    uri: string | null;
    host: string | null;
    kind: "DOCUMENT" | "REGISTERED";
  };
  redirectUri: string;
  redirectHost: string;
  isLoopback: boolean;
  scopes: ({
    name: "read" | "write" | "workflows";
    isOffered: boolean;
  })[];
  account: {
    name: string;
    email: string;
  };
  tokenName: string;
  days: number;
};

export type LinkedAccount = {
  id: string;
  issuer: string;
  provider: {
    key: string;
    name: string;
  } | null;
  createdAt: string;
};

export type OwnAccount = SignedInUser & ({
  timeZone: string | null;
  language: string | null;
  region: string | null;
  systemTimeZone: string | null;
  roles: {
    id: string;
    name: string;
  }[];
});

export type RefusedAuthorization = {
  kind: "REFUSED";
  redirectTo: string;
};

export type RunOutcome = {
  id: string;
  status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  result?: unknown;
  error: {
    code: string;
    message: string;
    step?: string | null | undefined;
  } | null;
};

export type Session = {
  id: string;
  method: string;
  address: string | null;
  userAgent: string | null;
  createdAt: string;
  expiresAt: string;
  current: boolean;
};

export type SignedIn = {
  token: string;
  user: SignedInUser;
};

export type SignedInUser = {
  id: string;
  email: string;
  name: string;
};

export type Token = {
  id: string;
  userId: string;
  owner: {
    email: string;
    name: string;
    active: boolean;
  };
  name: string;
  description: string;
  plane: "api" | "admin";
  lifetime: number;
  state: "active" | "deactivated" | "expired" | "revoked";
  expiresAt: string;
  expiresSoon: boolean;
  previousSecretUntil: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  client: TokenClient;
  scopes: ("read" | "write" | "workflows")[] | null;
};

export type TokenClient = {
  id: string;
  name: string;
  uri: string | null;
  redirect: string;
  kind: "DOCUMENT" | "REGISTERED";
} | null;

export type TokenWithSecret = Token & {
  secret: string;
};

/** The operations by method and path. */
export interface ApiOperations {
  "POST /auth/login": {
    path: null;
    query: null;
    body: {
      email: string;
      password: string;
    };
    answer: {
      data: SignedIn;
    };
  };
  "POST /auth/logout": {
    path: null;
    query: null;
    body: null;
    answer: { data?: never };
  };
  "POST /auth/register": {
    path: null;
    query: null;
    body: {
      email: string;
      password: string;
      name: string;
      language?: string | undefined;
      returnTo?: string | undefined;
    };
    answer: {
      data: {
        email: string;
      };
    };
  };
  "POST /auth/password/forgot": {
    path: null;
    query: null;
    body: {
      email: string;
      returnTo?: string | undefined;
    };
    answer: { data?: never };
  };
  "POST /auth/password/reset": {
    path: null;
    query: null;
    body: {
      token: string;
      password: string;
    };
    answer: { data?: never };
  };
  "POST /auth/email/verify": {
    path: null;
    query: null;
    body: {
      token: string;
    };
    answer: { data?: never };
  };
  "POST /auth/email/resend": {
    path: null;
    query: null;
    body: {
      email: string;
      returnTo?: string | undefined;
    };
    answer: { data?: never };
  };
  "POST /auth/invitations/read": {
    path: null;
    query: null;
    body: {
      token: string;
    };
    answer: {
      data: {
        email: string;
        name: string;
        inviter: string | null;
        roles: string[];
      };
    };
  };
  "POST /auth/invitations/accept": {
    path: null;
    query: null;
    body: {
      token: string;
      password: string;
      name?: string | undefined;
    };
    answer: {
      data: SignedIn;
    };
  };
  "GET /auth/me": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: OwnAccount;
    };
  };
  "PATCH /auth/me": {
    path: null;
    query: null;
    body: {
      name?: string | undefined;
      timeZone?: string | null | undefined;
      language?: string | null | undefined;
      region?: string | null | undefined;
    };
    answer: {
      data: OwnAccount;
    };
  };
  "GET /auth/sessions": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Session[];
    };
  };
  "DELETE /auth/sessions/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "POST /auth/password/change": {
    path: null;
    query: null;
    body: {
      currentPassword: string;
      newPassword: string;
    };
    answer: { data?: never };
  };
  "POST /auth/email/change": {
    path: null;
    query: null;
    body: {
      currentPassword: string;
      newEmail: string;
      returnTo?: string | undefined;
    };
    answer: { data?: never };
  };
  "GET /auth/linked-accounts": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: LinkedAccount[];
    };
  };
  "DELETE /auth/linked-accounts/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /auth/providers": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: ({
        key: string;
        name: string;
        kind: "google" | "github" | "oidc";
      })[];
      meta: {
        registration: boolean;
      };
    };
  };
  "POST /auth/oauth/exchange": {
    path: null;
    query: null;
    body: {
      code: string;
      codeVerifier?: string | undefined;
    };
    answer: {
      data: SignedIn;
    };
  };
  "POST /auth/oauth/{provider}/link": {
    path: {
      provider: string;
    };
    query: null;
    body: null;
    answer: {
      data: {
        url: string;
      };
    };
  };
  "GET /auth/tokens": {
    path: null;
    query: {
      client?: "true" | "false" | undefined;
    };
    body: null;
    answer: {
      data: Token[];
    };
  };
  "POST /auth/tokens": {
    path: null;
    query: null;
    body: {
      name: string;
      description?: string | undefined;
      plane: "api" | "admin";
      lifetime?: number | undefined;
    };
    answer: {
      data: TokenWithSecret;
    };
  };
  "GET /auth/tokens/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Token;
    };
  };
  "PATCH /auth/tokens/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: {
      name?: string | undefined;
      description?: string | undefined;
    };
    answer: {
      data: Token;
    };
  };
  "POST /auth/tokens/{id}/regenerate": {
    path: {
      id: string;
    };
    query: null;
    body: {
      gracePeriod: "none" | "1h" | "24h" | "7d";
    };
    answer: {
      data: TokenWithSecret;
    };
  };
  "POST /auth/tokens/{id}/deactivate": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Token;
    };
  };
  "POST /auth/tokens/{id}/activate": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Token;
    };
  };
  "POST /auth/tokens/{id}/revoke": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Token;
    };
  };
  "POST /auth/authorizations/preview": {
    path: null;
    query: null;
    body: {
      clientId: string;
      redirectUri: string;
      responseType?: string | undefined;
      scope?: string | undefined;
      state?: string | undefined;
      codeChallenge?: string | undefined;
      codeChallengeMethod?: string | undefined;
      resource?: string | undefined;
    };
    answer: {
      data: Consent | RefusedAuthorization;
    };
  };
  "POST /auth/authorizations": {
    path: null;
    query: null;
    body: {
      clientId: string;
      redirectUri: string;
      responseType?: string | undefined;
      scope?: string | undefined;
      state?: string | undefined;
      codeChallenge?: string | undefined;
      codeChallengeMethod?: string | undefined;
      resource?: string | undefined;
      decision: "APPROVE" | "DENY";
      scopes?: ("read" | "write" | "workflows")[] | undefined;
      name?: string | undefined;
      days?: number | undefined;
    };
    answer: {
      data: {
        redirectTo: string;
      };
    };
  };
  "POST /workflows/{slug}/webhook": {
    path: {
      slug: string;
    };
    query: null;
    body: { [name: string]: unknown } | unknown[];
    answer: {
      data: RunOutcome;
    } | {
      data: {
        run: string;
      };
    };
  };
  "GET /workflows/{slug}/webhook": {
    path: {
      slug: string;
    };
    query: null;
    body: null;
    answer: {
      data: RunOutcome;
    } | {
      data: {
        run: string;
      };
    };
  };
  "GET /workflows/runs/{run_id}/result": {
    path: {
      run_id: string;
    };
    query: null;
    body: null;
    answer: {
      data: RunOutcome;
    };
  };
  "GET /openapi": {
    path: null;
    query: {
      exports?: "true" | "false" | undefined;
    };
    body: null;
    answer: { [name: string]: unknown };
  };
}
