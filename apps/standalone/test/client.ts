import { createCheckedFetch, type Place } from "@rowhouse/testing";

/** A response of the service. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies' shapes are what is tested.
  readonly body: any;
}

export interface Ask {
  /** A session's secret. */
  readonly as?: string;
  readonly body?: unknown;
  /** A body that is sent as it is, with the `Content-Type` in the headers. */
  readonly file?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends HTTP requests to a running service. */
export interface Client {
  ask(method: string, path: string, options?: Ask): Promise<Answer>;
  /** Signs in and returns the session's secret. */
  signIn(account: { readonly email: string; readonly password: string }): Promise<string>;
}

/** Compares every response with the service's own documents. */
export function createClient(place: Place): Client {
  const fetch = createCheckedFetch(place);
  const ask: Client["ask"] = async (method, path, { as, body, file, headers } = {}) => {
    const answer = await fetch(path, {
      method,
      headers: {
        ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };
  return {
    ask,
    signIn: async (account) => {
      const answer = await ask("POST", "/api/auth/login", { body: account });
      if (answer.status !== 200) throw new Error(`sign-in returned ${answer.status}`);
      return answer.body.data.token;
    },
  };
}
