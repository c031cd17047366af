export { createFirstAdministrator, hasAdministrator } from "./first-administrator.ts";
export { actorOf, type Origin } from "./origin.ts";
export { type OwnAccount, readOwnAccount, signOut } from "./own-account.ts";
export { purgeIdentity } from "./purge.ts";
export { type SignedIn, type SignInInput, signIn, type UserSummary } from "./sign-in.ts";
export {
  activateToken,
  deactivateToken,
  type GracePeriod,
  gracePeriods,
  regenerateToken,
  revokeToken,
  type TokenChanges,
  type TokenRequest,
  updateToken,
} from "./tokens/change-token.ts";
export { createToken, type NewToken } from "./tokens/create-token.ts";
export { listTokens, readToken, type TokenFilter } from "./tokens/read-tokens.ts";
export type { Token, TokenOwner, TokenState, TokenWithSecret } from "./tokens/token.ts";
