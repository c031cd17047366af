// Generated from the service's OpenAPI document by `npm run types:client`.

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
  roles: {
    id: string;
    name: string;
  }[];
});

export type RunOutcome = {
  id: string;
  status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** The output of the run */
  result?: unknown;
  error: {
    code: string;
    message: string;
    step?: string | null;
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
};

export type TokenWithSecret = Token & {
  secret: string;
};

/** The operations by method and path. */
export interface AuthOperations {
  /** Sign in with email and password */
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
  /** End the session */
  "POST /auth/logout": {
    path: null;
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** Create an account, while registration is enabled */
  "POST /auth/register": {
    path: null;
    query: null;
    body: {
      email: string;
      password: string;
      name: string;
      language?: string;
    };
    answer: {
      data: {
        email: string;
      };
    };
  };
  /** Send a mail with a link to set a new password */
  "POST /auth/password/forgot": {
    path: null;
    query: null;
    body: {
      email: string;
    };
    answer: { data?: never };
  };
  /** Set a new password with the token of a link, and end every session */
  "POST /auth/password/reset": {
    path: null;
    query: null;
    body: {
      token: string;
      password: string;
    };
    answer: { data?: never };
  };
  /** Confirm an email address with the token of a link */
  "POST /auth/email/verify": {
    path: null;
    query: null;
    body: {
      token: string;
    };
    answer: { data?: never };
  };
  /** Send a new link to confirm an address */
  "POST /auth/email/resend": {
    path: null;
    query: null;
    body: {
      email: string;
    };
    answer: { data?: never };
  };
  /** Accept an invitation, set a password and sign in */
  "POST /auth/invitations/accept": {
    path: null;
    query: null;
    body: {
      token: string;
      password: string;
      name?: string;
    };
    answer: {
      data: SignedIn;
    };
  };
  /** The signed-in user */
  "GET /auth/me": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: OwnAccount;
    };
  };
  /** Change your name, time zone or language */
  "PATCH /auth/me": {
    path: null;
    query: null;
    body: {
      name?: string;
      timeZone?: string | null;
      language?: string | null;
    };
    answer: {
      data: OwnAccount;
    };
  };
  /** List your sessions */
  "GET /auth/sessions": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Session[];
    };
  };
  /** End one of your sessions */
  "DELETE /auth/sessions/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** Change your password and end your other sessions */
  "POST /auth/password/change": {
    path: null;
    query: null;
    body: {
      currentPassword: string;
      newPassword: string;
    };
    answer: { data?: never };
  };
  /** Send a confirmation link to a new email address */
  "POST /auth/email/change": {
    path: null;
    query: null;
    body: {
      currentPassword: string;
      newEmail: string;
    };
    answer: { data?: never };
  };
  /** List the providers that sign-in offers */
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
    };
  };
  /** Exchange the code of a finished sign-in for a session */
  "POST /auth/oauth/exchange": {
    path: null;
    query: null;
    body: {
      code: string;
    };
    answer: {
      data: SignedIn;
    };
  };
  /** Link an account at a provider to your account */
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
  /** List your linked accounts at providers */
  "GET /auth/linked-accounts": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: LinkedAccount[];
    };
  };
  /** Unlink an account at a provider */
  "DELETE /auth/linked-accounts/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List your tokens by name */
  "GET /auth/tokens": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Token[];
    };
  };
  /** Create a token; only this response contains its secret */
  "POST /auth/tokens": {
    path: null;
    query: null;
    body: {
      name: string;
      description?: string;
      plane: "api" | "admin";
      /** Days */
      lifetime?: number;
    };
    answer: {
      data: TokenWithSecret;
    };
  };
  /** Get one of your tokens */
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
  /** Change name or description of a token */
  "PATCH /auth/tokens/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: {
      name?: string;
      description?: string;
    };
    answer: {
      data: Token;
    };
  };
  /** Give a token a new secret and a new expiry */
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
  /** Suspend a token */
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
  /** Reactivate a suspended token */
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
  /** Revoke a token permanently */
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
  /** Start a run, and wait for it if the workflow responds synchronously */
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
  /** Start a run of a workflow that is called with GET */
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
  /** Get the result of a run that you started */
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
}
