import { access } from "./en/access.ts";
import { audit } from "./en/audit.ts";
import { dashboardBuilder } from "./en/dashboard-builder.ts";
import { fromFile } from "./en/from-file.ts";
import { invitations } from "./en/invitations.ts";
import { mcp } from "./en/mcp.ts";
import { overview } from "./en/overview.ts";
import { people } from "./en/people.ts";
import { presentation } from "./en/presentation.ts";
import { providers } from "./en/providers.ts";
import { readings } from "./en/readings.ts";
import { reference } from "./en/reference.ts";
import { roles } from "./en/roles.ts";
import { schemaMap } from "./en/schema-map.ts";
import { settings } from "./en/settings.ts";
import { sql } from "./en/sql.ts";
import { structure } from "./en/structure.ts";
import { tableDraft } from "./en/table-draft.ts";
import { templates } from "./en/templates.ts";
import { tokens } from "./en/tokens.ts";
import { viewBuilder } from "./en/view-builder.ts";
import { viewEditor } from "./en/view-editor.ts";
import { workflowEditor } from "./en/workflow-editor.ts";
import { workflowForm } from "./en/workflow-form.ts";
import { workflowSecrets } from "./en/workflow-secrets.ts";
import { workflowSettings } from "./en/workflow-settings.ts";
import { workflows } from "./en/workflows.ts";

/** The texts of the administration in English. */
export const enAdministration = {
  access,
  audit,
  dashboardBuilder,
  fromFile,
  invitations,
  mcp,
  overview,
  people,
  providers,
  readings,
  reference,
  roles,
  presentation,
  structure,
  tableDraft,
  schemaMap,
  settings,
  templates,
  tokens,
  viewBuilder,
  viewEditor,
  sql,
  workflowEditor,
  workflowForm,
  workflowSecrets,
  workflowSettings,
  workflows,
};
