export { faultsOfDashboard, requireValidDashboard } from "./check/check-dashboard.ts";
export { faultsOfRoles, requireValidDataView } from "./check/check-data-view.ts";
export {
  type OpenedDashboard,
  openDashboard,
  panelOf,
  renderDashboard,
  renderPanel,
} from "./dashboard/open-dashboard.ts";
export { parseMark, viewOfMark } from "./dashboard/panel-rows.ts";
export { choicesMax, listChoices, requireParameter } from "./dashboard/parameter-choices.ts";
export { parseParameters } from "./dashboard/read-parameters.ts";
export { openView, openViewFile } from "./open/open-view.ts";
export { storedReading } from "./open/prepare-view.ts";
export {
  fieldOf,
  fieldSchema,
  moreSchema,
  resourceRef,
  resourceRefSchema,
} from "./open/presenter.ts";
export type { Reader } from "./open/reader.ts";
export {
  rowParameters,
  rowQueryOf,
  viewParameters,
  viewQueryBody,
  viewQueryOf,
} from "./open/view-query.ts";
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
  iconSchema,
  positionSchema,
  presentationSchema,
  readIcon,
  visiblePresentationSchema,
} from "./presentation/presentation-schemas.ts";
export {
  type VisiblePresentation,
  visiblePresentation,
} from "./presentation/visible-presentation.ts";
export { createPreviewEngines, type PreviewEngines } from "./preview/preview-engines.ts";
export { previewedCaller } from "./preview/previewed-caller.ts";
export { explainWrite, type ReadingEngine } from "./preview/read-only-engine.ts";
export { dashboardOfBody, partsOfBody } from "./schemas/dashboard-body.ts";
export {
  dashboardInput,
  dashboardSchema,
  layoutSchema,
  periodSchema,
} from "./schemas/dashboard-schemas.ts";
export {
  dataViewInput,
  dataViewSchema,
  viewOfBody,
  withoutAbsent,
} from "./schemas/data-view-schemas.ts";
export {
  aggregateTerms,
  fieldNames,
  filter,
  groupTerms,
  orderTerms,
  readingName,
  rowLimit,
  storableText,
} from "./schemas/reading-parts.ts";
export {
  type Panel,
  type PanelBinding,
  type PanelKind,
  type PanelLayout,
  panelKinds,
  placePanels,
  type UnplacedPanel,
} from "./store/dashboard-panel.ts";
export {
  type FixedPeriod,
  type NamedPeriod,
  namedPeriods,
  type Parameter,
  type Period,
} from "./store/dashboard-parameter.ts";
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
} from "./store/dashboards.ts";
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
} from "./store/data-views.ts";
export { positionMax } from "./store/openers.ts";
export { mergePreferences, type Preferences, readPreferences } from "./store/preferences.ts";
export {
  bindReadingColumns,
  currentNames,
  type ReadingColumn,
  type RenamedColumn,
  renamedColumns,
  replaceReadingColumns,
} from "./store/reading-columns.ts";
export {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  readSavedView,
  type SavedView,
  savedViewsMax,
  updateSavedView,
} from "./store/saved-views.ts";
export { columnsOfDashboard, currentDashboard } from "./store/stored-dashboard.ts";
export { columnsOfDataView, currentDataView } from "./store/stored-data-view.ts";
export { readVisibleView } from "./store/visible-view.ts";
