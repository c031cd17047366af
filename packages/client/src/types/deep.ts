import type { CheckedHaving, GroupName, GroupTerms } from "./aggregate.ts";
import type { NumberName, Numbers, Tails } from "./fields.ts";
import type { FilterArgument } from "./filter.ts";
import type { IsOpen, OrderOfResults, RowOrder, TargetOf, UnknownField } from "./paths.ts";
import type { RelationsOf } from "./resource.ts";

/** How a response shows to-many relations, by their paths or aliases. */
export type Deep = Readonly<Record<string, DeepOptions | undefined>>;

export type DeepOptions = {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly orderBy?: string | readonly string[] | undefined;
  readonly where?: object | undefined;
  /** `true` returns the rows as `data`, with `nextCursor`; a `nextCursor` the next page. */
  readonly cursor?: true | string | undefined;
  /** Groups the rows of which `fields` has numbers. */
  readonly groupBy?: readonly string[] | undefined;
  /** Names the truncated dates of the groups in the caller's time zone: `2026-02`. */
  readonly labels?: "local" | undefined;
  /** A filter on the results of the groups. */
  readonly having?: object | undefined;
};

/** The options of `deep` whose every path and name exists. F: the fields of the request, whose aliases name relations too. */
export type DeepArgument<R, N extends keyof R, F extends string, D> = [keyof D] extends [never]
  ? D
  : IsOpen<R, N> extends true
    ? D
    : {
        readonly [P in keyof D]: string extends F
          ? D[P]
          : [Reached<R, N, P, F>] extends [never]
            ? UnknownField<P>
            : Reached<R, N, P, F> extends readonly [infer M extends keyof R, infer T]
              ? CheckedOptions<R, M, T & string, D[P]>
              : never;
      };

/** The target of a path over relations and aliases, with the fields of it that the request has; never without a target. */
type Reached<R, N extends keyof R, P, F extends string> = P extends keyof RelationsOf<R, N>
  ? readonly [TargetOf<R, N, P>, Tails<F, P>]
  : P extends `${infer H}.${infer T}`
    ? Step<R, N, H, F> extends readonly [infer M extends keyof R, infer Rest]
      ? Reached<R, M, T, Rest & string>
      : never
    : Step<R, N, P, F>;

type Step<R, N extends keyof R, H, F extends string> = H extends keyof RelationsOf<R, N>
  ? readonly [TargetOf<R, N, H>, Tails<F, H>]
  : Renamed<F, H> extends infer S extends string
    ? [S] extends [never]
      ? never
      : FirstOf<S> extends infer Q extends keyof RelationsOf<R, N>
        ? readonly [TargetOf<R, N, Q>, Tails<S, Q>]
        : never
    : never;

/** The paths of fields with this alias, without it. */
type Renamed<F extends string, H> = F extends `${H & string}:${infer S}` ? S : never;
type FirstOf<S extends string> = S extends `${infer Q}.${string}` ? Q : S;

type CheckedOptions<R, M extends keyof R, T extends string, O> = {
  readonly [K in keyof O]: K extends keyof DeepOptions
    ? O[K] extends undefined
      ? O[K]
      : CheckedOption<R, M, T, O, K, O[K]>
    : UnknownField<K>;
};

type CheckedOption<R, M extends keyof R, T extends string, O, K, V> = K extends "where"
  ? FilterArgument<R, M, V>
  : K extends "groupBy"
    ? V extends readonly string[]
      ? GroupTerms<R, M, V>
      : V
    : K extends "having"
      ? CheckedHaving<NumberNames<R, M, T>, V>
      : K extends "orderBy"
        ? O extends { readonly groupBy: readonly (infer G extends string)[] }
          ? OrderOfResults<V, NumberNames<R, M, T> | GroupName<G>>
          : RowOrder<R, M, V>
        : V;

type NumberNames<R, M extends keyof R, T extends string> = NumberName<Numbers<R, M, T>>;
