export { createFirstAdministrator, hasAdministrator } from "./first-administrator.ts";
export { type OwnAccount, readOwnAccount, signOut } from "./own-account.ts";
export {
  actorOf,
  type Origin,
  type SignedIn,
  type SignInInput,
  signIn,
  type UserSummary,
} from "./sign-in.ts";
