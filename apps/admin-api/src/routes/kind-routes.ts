import { z } from "@hono/zod-openapi";
import {
  type AuditActor,
  type ChangesOf,
  type Database,
  type InputOf,
  type Kind,
  type Page,
  type PageRequest,
  type RecordSchemas,
  Records,
  recordSchemasOf,
  type StoredOf,
  simpleKinds,
} from "@rowhouse/db";
import type { ErrorCode } from "@rowhouse/errors";
import type { ApiRouter, idParams } from "@rowhouse/http";
import { mountRecords } from "../record-routes.ts";

interface RouteWords {
  readonly summary?: string;
  /** What a successful response contains. */
  readonly answer?: string;
  /** Errors besides those of every route. */
  readonly codes?: readonly ErrorCode[];
}

/** What the routes of a kind of record have besides its description. By default, a kind is stored as its records say. */
export interface KindRoutes<K extends Kind, Query extends z.ZodObject> {
  readonly database: Database;
  /** The order of the list, such as "By name". */
  readonly order: string;
  readonly list?: RouteWords & {
    readonly query?: Query;
    readonly run?: (page: PageRequest, query: z.output<Query>) => Promise<Page<StoredOf<K>>>;
  };
  readonly create?: RouteWords & {
    readonly run?: (data: InputOf<K>, actor: AuditActor) => Promise<StoredOf<K>>;
  };
  readonly read?: RouteWords;
  readonly update?: RouteWords & {
    readonly run?: (
      id: string,
      data: ChangesOf<K>,
      actor: AuditActor,
      ifMatch: readonly string[] | undefined,
    ) => Promise<StoredOf<K>>;
  };
  /** False for a kind whose records stay. */
  readonly remove?: RouteWords | false;
}

/** Mounts the routes of a kind of record, whose paths and bodies its description gives. */
export function mountKind<
  K extends Kind,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(router: ApiRouter, records: Records<K>, routes: KindRoutes<K, Query>): void {
  const { kind } = records;
  const { noun } = kind;
  const { database, order, list, create, read, update, remove } = routes;
  const schemas = recordSchemasOf(kind);
  const createOne = create?.run ?? ((data, actor) => records.create(database, data, actor));
  const updateOne =
    update?.run ??
    ((id, data, actor, ifMatch) => records.update(database, id, data, actor, ifMatch));
  const listed =
    list?.run ?? ((page: PageRequest): Promise<Page<StoredOf<K>>> => records.list(database, page));
  type Schemas = RecordSchemas<K>;
  mountRecords<
    Schemas["stored"],
    typeof idParams,
    Schemas["stored"],
    Query,
    Schemas["new"],
    Schemas["changes"]
  >(router, {
    path: `/admin/api${kind.path}`,
    noun,
    item: schemas.stored,
    tagOf: records.tagOf,
    list: {
      summary: list?.summary ?? `List the ${noun}s`,
      order,
      query: (list?.query ?? z.object({})) as Query,
      run: ({ page, query }) => listed(page, query),
    },
    create: {
      summary: `Create a ${noun}`,
      ...create,
      body: schemas.new,
      run: ({ data, actor }) => createOne(data, actor),
    },
    read: {
      summary: `Get a ${noun}`,
      ...read,
      run: ({ at }) => records.read(database, at.id),
    },
    update: {
      summary: `Change a ${noun}`,
      ...update,
      body: schemas.changes,
      run: ({ at, data, actor, ifMatch }) => updateOne(at.id, data, actor, ifMatch),
    },
    ...(remove === false
      ? {}
      : {
          remove: {
            summary: `Delete a ${noun}`,
            answer: `${noun[0]?.toUpperCase()}${noun.slice(1)} deleted`,
            ...remove,
            run: ({ at, actor }) => records.remove(database, at.id, actor),
          },
        }),
  });
}

/** Mounts the routes of the simple kinds. */
export function mountSimpleKinds(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  for (const kind of simpleKinds) {
    const codes = kind.conflict === undefined ? [] : (["CONFLICT"] as const);
    mountKind(router, new Records<Kind>(kind), {
      database,
      order: `By ${kind.simple.key}`,
      create: { codes },
      update: { codes },
    });
  }
}
