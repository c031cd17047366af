import type { AreaCallOptions } from "../request/client-options.ts";

export type PathsOf<Operations, Method extends string> = keyof Operations extends infer Key
  ? Key extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;

export type OperationOf<
  Operations,
  Method extends string,
  Path extends string,
> = `${Method} ${Path}` extends infer Key extends keyof Operations ? Operations[Key] : never;

type Member<O, Name extends string> = O extends { readonly [N in Name]: infer T } ? T : never;

/** A member that may be omitted if an empty object satisfies it. */
type Part<Name extends string, T> = [T] extends [null]
  ? unknown
  : Record<never, never> extends T
    ? { readonly [N in Name]?: T | undefined }
    : { readonly [N in Name]: T };

/** The options of an operation: values of its path, its query, and `data` or `body`. */
export type OperationOptions<O> = AreaCallOptions &
  Part<"path", Member<O, "path">> &
  Part<"query", Member<O, "query">> &
  Part<"data", Member<O, "data">> &
  Part<"body", Member<O, "body">>;

/** The second argument of an operation: optional if none of its parts is required. */
export type OperationArgument<O> =
  Record<never, never> extends OperationOptions<O>
    ? [options?: OperationOptions<O>]
    : [options: OperationOptions<O>];

/** The paths that have server-sent events. */
export type EventPathsOf<Operations> = {
  [Path in PathsOf<Operations, "GET">]: OperationOf<Operations, "GET", Path> extends {
    readonly events: unknown;
  }
    ? Path
    : never;
}[PathsOf<Operations, "GET">];

export type EventsOptions<O> = Omit<OperationOptions<O>, "ifMatch"> & {
  /** The `id` of the last event that was received before; the stream continues there. */
  readonly lastEventId?: string | undefined;
};

export type OperationEvent<O> = Member<O, "events">;

/** The response of an operation: the members of its body, and its tag. */
export type OperationAnswer<O> = Member<O, "answer"> & { readonly etag: string | undefined };
