import type { en } from "./en.ts";
import type { enAdministration } from "./en-administration.ts";
import type { enWorkspace } from "./en-workspace.ts";

/** The texts that the sign-in needs. They are loaded with the first page. */
export type StartWords = typeof en;
/** The texts of the pages behind the sign-in. */
export type WorkspaceWords = typeof enWorkspace;
/** The texts of the administration. */
export type AdministrationWords = typeof enAdministration;

/** Every text of the pages. */
export type Words = StartWords & WorkspaceWords & AdministrationWords;
