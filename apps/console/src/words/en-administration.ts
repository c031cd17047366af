import { audit } from "./en/audit.ts";
import { manage } from "./en/manage.ts";
import { overview } from "./en/overview.ts";

/** The texts of the administration in English. */
export const enAdministration = {
  audit,
  manage,
  overview,
};
