import type { Kind } from "./kind.ts";
import { authProviderKind } from "./kinds/auth-provider.ts";
import { roleKind } from "./kinds/role.ts";
import { userKind } from "./kinds/user.ts";

const described = [authProviderKind, roleKind, userKind] as const;

/** The name of a kind of record that is described. */
export type KindName = (typeof described)[number]["name"];

/** The kinds of records that are described. */
export const kinds: readonly (Kind & { readonly name: KindName })[] = described;
