import type { JsonObject } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";

/** What a request carries to say who sends it. */
export interface RequestCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * The credential that a step's `auth` asks for, its templates and secrets filled in.
 *
 * @throws RunFault HTTP_REQUEST_INVALID for a user whose name would be read as part of the password
 */
export function credentialOf(auth: unknown): RequestCredential {
  if (auth === undefined || auth === null) return { headers: {}, query: {} };
  const text = (key: string) => String((auth as JsonObject)[key] ?? "");
  switch (text("kind")) {
    case "bearer":
      return { headers: { authorization: `Bearer ${text("token")}` }, query: {} };
    case "basic": {
      if (text("user").includes(":")) {
        throw new RunFault("HTTP_REQUEST_INVALID", "The user of a basic credential has a colon");
      }
      const pair = Buffer.from(`${text("user")}:${text("password")}`).toString("base64");
      return { headers: { authorization: `Basic ${pair}` }, query: {} };
    }
    default: {
      const one = { [text("name")]: text("value") };
      return text("in") === "header" ? { headers: one, query: {} } : { headers: {}, query: one };
    }
  }
}
