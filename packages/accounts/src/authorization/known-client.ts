import type { ClientKind } from "../tokens/token.ts";

/** An OAuth client, as it describes itself. */
export interface KnownClient {
  readonly id: string;
  readonly name: string;
  readonly uri: string | null;
  readonly kind: ClientKind;
  readonly redirectUris: readonly string[];
}
