import type { IconComponent } from "../ui/create-icon.ts";
import {
  BookOpen,
  Bot,
  FileCode,
  House,
  KeySquare,
  LayoutDashboard,
  ListChecks,
  ScrollText,
  Settings,
  SquareTerminal,
  Table2,
  Users,
  Workflow,
} from "../ui/icons.generated.ts";
import type { Words } from "../words/languages.ts";

/** A page of the administration that the sidebar and the palette list. */
interface AdministrationPage {
  /** Its key in the texts `administration.pages`. */
  readonly name: keyof Words["administration"]["pages"];
  /** Address of the page; addresses below it belong to it. */
  readonly path: string;
  readonly icon: IconComponent;
}

/** The pages of the administration in their order. */
export const administrationPages: readonly AdministrationPage[] = [
  { name: "home", path: "/admin", icon: House },
  { name: "structure", path: "/admin/structure", icon: Table2 },
  { name: "people", path: "/admin/people", icon: Users },
  { name: "access", path: "/admin/access", icon: KeySquare },
  { name: "dataViews", path: "/admin/data-views", icon: ListChecks },
  { name: "dashboards", path: "/admin/dashboards", icon: LayoutDashboard },
  { name: "sql", path: "/admin/sql", icon: SquareTerminal },
  { name: "workflows", path: "/admin/workflows", icon: Workflow },
  { name: "mcp", path: "/admin/mcp", icon: Bot },
  { name: "audit", path: "/admin/audit", icon: ScrollText },
  { name: "settings", path: "/admin/settings", icon: Settings },
  { name: "configuration", path: "/admin/configuration", icon: FileCode },
  { name: "reference", path: "/admin/reference", icon: BookOpen },
];

/** Whether an address belongs to a page of the administration. */
export function isOnPage(pathname: string, { path }: AdministrationPage): boolean {
  return pathname === path || (path !== "/admin" && pathname.startsWith(`${path}/`));
}
