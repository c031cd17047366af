export {
  type Panel,
  type PanelBinding,
  type PanelKind,
  type PanelLayout,
  panelKinds,
  placePanels,
  type UnplacedPanel,
} from "./dashboard-panel.ts";
export {
  type FixedPeriod,
  type NamedPeriod,
  namedPeriods,
  type Parameter,
  type Period,
} from "./dashboard-parameter.ts";
export {
  createDashboard,
  type Dashboard,
  type DashboardChanges,
  type DashboardInput,
  deleteDashboard,
  listDashboards,
  type RevisedDashboard,
  readDashboard,
  type StoredDashboard,
  updateDashboard,
} from "./dashboards.ts";
export {
  createDataView,
  type DataViewChanges,
  type DataViewInput,
  type DataViewRecord,
  deleteDataView,
  listDataViews,
  type RevisedDataView,
  readDataView,
  type StoredDataView,
  updateDataView,
} from "./data-views.ts";
export { positionMax } from "./openers.ts";
export { mergePreferences, type Preferences, readPreferences } from "./preferences.ts";
export { type ReadingIcon, readingIcons } from "./presentation/icons.ts";
export {
  type KanbanPresentation,
  type Presentation,
  plainTable,
  type Summary,
  summaries,
  type TablePresentation,
} from "./presentation/presentation.ts";
export { faultsOfPresentation } from "./presentation/presentation-faults.ts";
export { namesOfPresentation, renamePresentation } from "./presentation/presentation-names.ts";
export {
  type VisiblePresentation,
  visiblePresentation,
} from "./presentation/visible-presentation.ts";
export {
  bindReadingColumns,
  currentNames,
  type ReadingColumn,
  type RenamedColumn,
  renamedColumns,
  replaceReadingColumns,
} from "./reading-columns.ts";
export {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  readSavedView,
  type SavedView,
  savedViewsMax,
  updateSavedView,
} from "./saved-views.ts";
