import { authProviderKind } from "./auth-provider.ts";
import type { Kind, SimpleKind } from "./kind.ts";
import { roleKind } from "./role.ts";
import { userKind } from "./user.ts";

const described = [authProviderKind, roleKind, userKind] as const;

/** The name of a kind of record that is described. */
export type KindName = (typeof described)[number]["name"];

/** The kinds of records that are described. */
export const kinds: readonly (Kind & { readonly name: KindName })[] = described;

/** A kind whose routes, documents and page follow from its description alone. */
export type SimplyDescribed = Kind & { readonly name: KindName; readonly simple: SimpleKind };

/** The simple kinds of records. */
export const simpleKinds: readonly SimplyDescribed[] = kinds.flatMap((kind) =>
  kind.simple === undefined ? [] : [{ ...kind, simple: kind.simple }],
);
