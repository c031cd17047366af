import type { AdminOperations } from "./api/admin-operations.generated.ts";
import type { ApiOperations } from "./api/api-operations.generated.ts";
import type { AppOperations } from "./api/app-operations.generated.ts";
import { type Area, createArea } from "./areas/area.ts";
import { Auth, publicPaths } from "./areas/auth.ts";
import { Workflows } from "./areas/workflows.ts";
import { Files } from "./files/files.ts";
import { type ClientOptions, readBaseUrl } from "./request/client-options.ts";
import { ClientCredential } from "./request/credential.ts";
import { Transport } from "./request/transport.ts";
import { type Address, pathOf, readAddress } from "./rows/address.ts";
import { type BatchOptions, type BatchResults, type BatchWrite, sendBatch } from "./rows/batch.ts";
import { RowClient } from "./rows/row-client.ts";
import type { AnyResources, KindArgument } from "./types/resource.ts";

/** A client of one service. `R` has the resources of the file that `rowhouse types` writes. */
export type Client<R = AnyResources> = {
  /**
   * Returns the rows of a table, or of a view with `"view"` as the second argument. Names with dots or quotes stand in
   * double quotes (`"a.b".c`), or in an object.
   *
   * @throws TypeError for a name that a URL cannot contain
   */
  from<N extends keyof R & string>(name: N, ...kind: KindArgument<R[N]>): RowClient<R, N>;
  from(address: Address): RowClient<AnyResources, string>;
  /** Runs up to 100 writes, as `from(name).writes` makes them, in one transaction. */
  batch<const W extends readonly BatchWrite[]>(
    writes: W,
    options?: BatchOptions,
  ): Promise<BatchResults<W>>;
  readonly auth: Auth;
  /** Routes of one's own account, and the caller's document, by method and path. */
  readonly api: Area<ApiOperations>;
  /** The App API by method and path. */
  readonly app: Area<AppOperations>;
  /** The Admin API by method and path. */
  readonly admin: Area<AdminOperations>;
  readonly workflows: Workflows;
  /** Uploads, downloads and links. */
  readonly files: Files;
};

/**
 * Creates a client. It sends nothing yet.
 *
 * @throws TypeError for an invalid URL or credential
 */
export function createClient<R = AnyResources>(options: ClientOptions): Client<R> {
  const secret = options.session ?? options.token ?? null;
  const credential = new ClientCredential(secret, options.onUnauthorized);
  const transport = new Transport(options, credential);
  const from = (named: string | Address, kind: "table" | "view" = "table") => {
    const address = typeof named === "string" ? { ...readAddress(named), kind } : named;
    return new RowClient(transport, pathOf(address));
  };
  const api = createArea<ApiOperations>(transport, "/api", publicPaths);
  return {
    from: from as Client<R>["from"],
    batch: (writes, batchOptions) => sendBatch(transport, writes, batchOptions),
    auth: new Auth(api, credential, transport, readBaseUrl(options.url)),
    api,
    app: createArea<AppOperations>(transport, "/app/api"),
    admin: createArea<AdminOperations>(transport, "/admin/api"),
    workflows: new Workflows(transport),
    files: new Files(transport, options.url),
  };
}
