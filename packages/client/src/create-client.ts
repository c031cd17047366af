import type { AdminOperations } from "./api/admin-operations.generated.ts";
import type { ApiOperations } from "./api/api-operations.generated.ts";
import type { AppOperations } from "./api/app-operations.generated.ts";
import { type Area, createArea, createCalls } from "./areas/area.ts";
import { Auth } from "./areas/auth.ts";
import { publicPaths, SignIn } from "./areas/sign-in.ts";
import { Workflows } from "./areas/workflows.ts";
import { Files } from "./files/files.ts";
import { type ClientOptions, readBaseUrl } from "./request/client-options.ts";
import { ClientCredential } from "./request/credential.ts";
import { Transport } from "./request/transport.ts";
import { type Address, pathOf, readAddress } from "./rows/address.ts";
import { BasicRowClient } from "./rows/basic-row-client.ts";
import {
  type BatchOptions,
  type BatchResults,
  type BatchWrite,
  type ReferredWrites,
  sendBatch,
} from "./rows/batch.ts";
import { RowClient } from "./rows/row-client.ts";
import type { Valid } from "./types/paths.ts";
import type { AnyResources, KindArgument } from "./types/resource.ts";

/** What the parts of a client share. */
type Connection = {
  readonly options: ClientOptions;
  readonly credential: ClientCredential;
  readonly transport: Transport;
};

/** A part of a client, such as `withAuth()`. Members: what it adds */
export type ClientPart<Members> = (connection: Connection) => Members;

/** A client with the members of some parts. */
export type ComposedClient<P extends readonly ClientPart<object>[]> = P extends readonly [
  ClientPart<infer First>,
  ...infer Rest extends readonly ClientPart<object>[],
]
  ? First & ComposedClient<Rest>
  : unknown;

/** The rows of tables and views, without batches, imports, exports and histories. */
export type BasicRows<R = AnyResources> = {
  /**
   * Returns the rows of a table, or of a view with `"view"` as the second argument. Names with dots or quotes stand in
   * double quotes (`"a.b".c`), or in an object.
   *
   * @throws TypeError for a name that a URL cannot contain
   */
  from<N extends keyof R & string>(name: N, ...kind: KindArgument<R[N]>): BasicRowClient<R, N>;
  from(address: Address): BasicRowClient<AnyResources, string>;
};

/** The rows of tables and views, in batches and files too, with their histories. */
export type ClientRows<R = AnyResources> = {
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
    writes: Valid<W, ReferredWrites<W>>,
    options?: BatchOptions,
  ): Promise<BatchResults<W>>;
};

/** A client of one service with all parts. `R` has the resources of the file that `rowhouse types` writes. */
export type Client<R = AnyResources> = ClientRows<R> & {
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
 * Creates a client with all parts. It sends nothing yet.
 *
 * @throws TypeError for an invalid URL or credential
 */
export function createClient<R = AnyResources>(options: ClientOptions): Client<R> {
  return composeClient(
    options,
    withRows<R>(),
    withAuth(),
    withApi(),
    withApp(),
    withAdmin(),
    withWorkflows(),
    withFiles(),
  );
}

/**
 * Creates a client of some parts: a bundler leaves the code of the others out. It sends nothing yet.
 *
 * @throws TypeError for an invalid URL or credential
 */
export function composeClient<const P extends readonly ClientPart<object>[]>(
  options: ClientOptions,
  ...parts: P
): ComposedClient<P> {
  const credential = new ClientCredential(options);
  const connection = { options, credential, transport: new Transport(options, credential) };
  return Object.assign({}, ...parts.map((part) => part(connection))) as ComposedClient<P>;
}

/** `from`, without batches, imports, exports and histories. */
export function withBasicRows<R = AnyResources>(): ClientPart<BasicRows<R>> {
  return ({ transport }) => ({
    from: pathed((path) => new BasicRowClient(transport, path)) as BasicRows<R>["from"],
  });
}

/** `from` and `batch`. */
export function withRows<R = AnyResources>(): ClientPart<ClientRows<R>> {
  return ({ transport }) => ({
    from: pathed((path) => new RowClient(transport, path)) as ClientRows<R>["from"],
    batch: (writes, options) => sendBatch(transport, writes, options),
  });
}

/** `auth` with `signIn`, `signOut`, `session` and `me` alone. */
export function withSignIn(): ClientPart<{ readonly auth: SignIn }> {
  return ({ transport, credential }) => {
    const api = createCalls<ApiOperations>(transport, "/api", publicPaths);
    return { auth: new SignIn(api, credential, transport) };
  };
}

/** `auth`. */
export function withAuth(): ClientPart<Pick<Client, "auth">> {
  return ({ transport, credential, options }) => {
    const api = createCalls<ApiOperations>(transport, "/api", publicPaths);
    return { auth: new Auth(api, credential, transport, readBaseUrl(options.url)) };
  };
}

/** `api`. */
export function withApi(): ClientPart<Pick<Client, "api">> {
  return ({ transport }) => ({ api: createArea(transport, "/api", publicPaths) });
}

/** `app`. */
export function withApp(): ClientPart<Pick<Client, "app">> {
  return ({ transport }) => ({ app: createArea(transport, "/app/api") });
}

/** `admin`. */
export function withAdmin(): ClientPart<Pick<Client, "admin">> {
  return ({ transport }) => ({ admin: createArea(transport, "/admin/api") });
}

/** `workflows`. */
export function withWorkflows(): ClientPart<Pick<Client, "workflows">> {
  return ({ transport }) => ({ workflows: new Workflows(transport) });
}

/** `files`. */
export function withFiles(): ClientPart<Pick<Client, "files">> {
  return ({ transport, options }) => ({ files: new Files(transport, options.url) });
}

function pathed<Rows>(open: (path: string) => Rows) {
  return (named: string | Address, kind: "table" | "view" = "table") => {
    const address = typeof named === "string" ? { ...readAddress(named), kind } : named;
    return open(pathOf(address));
  };
}
