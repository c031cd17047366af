import type { JsonObject } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";

/** The credential of a request, as headers or query parameters. */
export interface RequestCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Returns the credential of a step's `auth`, with templates and secrets rendered.
 *
 * @throws RunFault HTTP_REQUEST_INVALID for a user name with a colon, whose rest would be read as part of the password
 */
export function credentialOf(auth: unknown): RequestCredential {
  if (auth === undefined || auth === null) return { headers: {}, query: {} };
  const text = (key: string) => String((auth as JsonObject)[key] ?? "");
  switch (text("kind")) {
    case "bearer":
      return { headers: { authorization: `Bearer ${text("token")}` }, query: {} };
    case "basic": {
      if (text("user").includes(":")) {
        throw new RunFault(
          "HTTP_REQUEST_INVALID",
          "The user of a basic credential must not contain a colon",
        );
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
