import type { IconComponent } from "../ui/create-icon.ts";
import {
  Archive,
  Banknote,
  Bell,
  BookOpen,
  Box,
  Briefcase,
  Building,
  Calendar,
  Car,
  ChartColumn,
  ChartLine,
  ChartPie,
  ClipboardList,
  Clock,
  CreditCard,
  FileText,
  Flag,
  Folder,
  Gauge,
  Gift,
  Globe,
  Headphones,
  Heart,
  House,
  Inbox,
  Key,
  Layers,
  LayoutDashboard,
  LayoutGrid,
  ListChecks,
  Mail,
  Map as MapIcon,
  MapPin,
  Package,
  Phone,
  Receipt,
  Shield,
  ShoppingCart,
  SquareCheckBig,
  SquareKanban,
  Star,
  Table2,
  Tag,
  Truck,
  Users,
  Wrench,
} from "../ui/icons.generated.ts";
import type { Navigation } from "./navigation.ts";

/** The name of an icon of a DataView or dashboard. */
export type ReadingIcon = NonNullable<Navigation["dataViews"][number]["icon"]>;

/** The icons of DataViews and dashboards by their names in the API. */
export const readingIcons = {
  archive: Archive,
  banknote: Banknote,
  "chart-column": ChartColumn,
  bell: Bell,
  "book-open": BookOpen,
  box: Box,
  briefcase: Briefcase,
  building: Building,
  calendar: Calendar,
  car: Car,
  "chart-line": ChartLine,
  "chart-pie": ChartPie,
  "square-check-big": SquareCheckBig,
  "clipboard-list": ClipboardList,
  clock: Clock,
  "credit-card": CreditCard,
  "file-text": FileText,
  flag: Flag,
  folder: Folder,
  gauge: Gauge,
  gift: Gift,
  globe: Globe,
  heart: Heart,
  house: House,
  inbox: Inbox,
  kanban: SquareKanban,
  key: Key,
  layers: Layers,
  "layout-dashboard": LayoutDashboard,
  "layout-grid": LayoutGrid,
  mail: Mail,
  map: MapIcon,
  "map-pin": MapPin,
  headphones: Headphones,
  package: Package,
  phone: Phone,
  receipt: Receipt,
  shield: Shield,
  "shopping-cart": ShoppingCart,
  star: Star,
  table: Table2,
  tag: Tag,
  truck: Truck,
  users: Users,
  wrench: Wrench,
} as const satisfies Readonly<Record<ReadingIcon, IconComponent>>;

/** Whether a name is that of an icon. */
function isReadingIcon(name: string): name is ReadingIcon {
  return Object.hasOwn(readingIcons, name);
}

/** Returns the icon of a DataView or dashboard. */
export function readingIcon(name: string | null, kind: "dataView" | "dashboard"): IconComponent {
  if (name !== null && isReadingIcon(name)) return readingIcons[name];
  return kind === "dataView" ? ListChecks : LayoutDashboard;
}
