import type { z } from "@hono/zod-openapi";
import type { ErrorCode } from "@rowhouse/errors";
import {
  type ApiRouter,
  created,
  idParams,
  list,
  none,
  one,
  type RouteCall,
  tagged,
} from "@rowhouse/http";
import { mountRoute, type RouteCaller } from "./mount-route.ts";

type Call<At, Query, Data> = RouteCall<At, Query, Data> & RouteCaller;

type Shape = z.ZodObject;

/** The routes of the records of one kind; a kind may lack some of them. */
export interface RecordRoutes<
  At extends Shape,
  Item extends z.ZodType,
  Listed extends z.ZodType,
  Query extends Shape,
  Create extends z.ZodType,
  Update extends z.ZodType,
> {
  /** The path of the list. */
  readonly path: `/${string}`;
  /** The parameters of the path of one record, whose last one names the record; `{id}` by default. */
  readonly params?: At;
  readonly noun: string;
  readonly item: Item;
  /** A record in the list, if it differs from `item`. */
  readonly listed?: Listed;
  /** Whether the numbers of the bodies keep every digit. */
  readonly exact?: boolean;
  /** Returns the entity tag of a record, which reading returns and changing compares with `If-Match`. */
  readonly tagOf?: (record: z.input<Item>) => string;
  readonly list?: {
    readonly summary: string;
    /** The order, such as "By name". */
    readonly order: string;
    readonly query?: Query;
    readonly run: (call: Call<z.output<At>, z.output<Query>, undefined>) => Result<{
      readonly items: readonly z.input<Listed>[];
      readonly nextCursor: string | null;
    }>;
  };
  readonly create?: {
    readonly summary: string;
    readonly body: Create;
    /** The response; "The …" by default. */
    readonly answer?: string;
    readonly codes?: readonly ErrorCode[];
    readonly run: (call: Call<z.output<At>, object, z.output<Create>>) => Result<z.input<Item>>;
  };
  readonly read?: {
    readonly summary: string;
    readonly run: (call: Call<z.output<At>, object, undefined>) => Result<z.input<Item>>;
  };
  readonly update?: {
    readonly summary: string;
    readonly body: Update;
    readonly answer?: string;
    readonly codes?: readonly ErrorCode[];
    readonly run: (call: Call<z.output<At>, object, z.output<Update>>) => Result<z.input<Item>>;
  };
  readonly remove?: {
    readonly summary: string;
    readonly answer: string;
    readonly codes?: readonly ErrorCode[];
    readonly run: (call: Call<z.output<At>, object, undefined>) => Result<unknown>;
  };
}

type Result<Value> = Value | Promise<Value>;

/** Mounts the routes of the records of one kind: `GET` and `POST {path}`, `GET`, `PATCH` and `DELETE {path}/{id}`. */
export function mountRecords<
  Item extends z.ZodType,
  At extends Shape = typeof idParams,
  Listed extends z.ZodType = Item,
  Query extends Shape = z.ZodObject<Record<never, never>>,
  Create extends z.ZodType = z.ZodUndefined,
  Update extends z.ZodType = z.ZodUndefined,
>(router: ApiRouter, records: RecordRoutes<At, Item, Listed, Query, Create, Update>): void {
  const { path, noun, item, tagOf, exact = false } = records;
  // The type of a call has the parameters of one record, also where the path is that of the list.
  const params = (records.params ?? idParams) as At;
  const key = Object.keys(params.shape).at(-1) as string;
  const above = params.omit({ [key]: true } as never) as unknown as At;
  const onList = { path, exactBody: exact, params: above };
  const onOne = { path: `${path}/{${key}}`, exactBody: exact, params };
  const answer = `The ${noun}`;
  type One = z.input<Item>;
  if (records.list !== undefined) {
    const { order, ...route } = records.list;
    const listed = (records.listed ?? item) as Listed;
    mountRoute(router, { ...onList, method: "get", answer: list(listed, order), ...route });
  }
  if (records.create !== undefined) {
    const { answer: words = answer, ...route } = records.create;
    mountRoute(router, { ...onList, method: "post", answer: created(item, words), ...route });
  }
  /** Mounts a route that returns the record, with its entity tag if it has one. */
  const mountOne = <Body extends z.ZodType>(
    route: { readonly method: "get" | "patch"; readonly body?: Body; readonly summary: string },
    words: string,
    run: (call: Call<z.output<At>, object, z.output<Body>>) => Result<One>,
  ): void => {
    if (tagOf === undefined) {
      mountRoute(router, { ...onOne, ...route, answer: one(item, words), run });
      return;
    }
    const condition = route.method === "patch" ? { condition: noun } : {};
    mountRoute(router, {
      ...{ ...onOne, ...route, ...condition },
      answer: tagged(item, words),
      run: async (call: Call<z.output<At>, object, z.output<Body>>) => {
        const data = await run(call);
        return { data, tag: tagOf(data) };
      },
    });
  };
  if (records.read !== undefined) {
    const { run, ...route } = records.read;
    mountOne<z.ZodUndefined>({ method: "get", ...route }, answer, run);
  }
  if (records.update !== undefined) {
    const { answer: words = answer, run, ...route } = records.update;
    mountOne({ method: "patch", ...route }, words, run);
  }
  if (records.remove !== undefined) {
    const { answer: words, ...route } = records.remove;
    mountRoute(router, { ...onOne, method: "delete", answer: none(words), ...route });
  }
}
