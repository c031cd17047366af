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
  readFieldSchema,
  resourceRef,
  resourceRefSchema,
  titleOf,
} from "./open/presenter.ts";
export type { Reader } from "./open/reader.ts";
export { searchRows } from "./open/search-rows.ts";
export {
  rowParameters,
  rowQueryOf,
  viewParameters,
  viewQueryBody,
  viewQueryOf,
} from "./open/view-query.ts";
export { iconSchema, readIcon } from "./presentation/icons.ts";
export {
  namesOfPresentation,
  renamePresentation,
  visiblePresentation,
} from "./presentation/map-presentation.ts";
export {
  type Presentation,
  plainTable,
  visiblePresentationSchema,
} from "./presentation/presentation.ts";
export {
  aggregateTerms,
  fieldNames,
  groupTerms,
  lostDescription,
  lostField,
  orderTerms,
  readingName,
  storableText,
} from "./presentation/reading-parts.ts";
export { type Previewed, previewedCaller } from "./preview/previewed-caller.ts";
export { dashboardOfBody, partsOfBody } from "./schemas/dashboard-body.ts";
export {
  type DashboardInput,
  dashboardInput,
  dashboardSchema,
  layoutSchema,
  panelKinds,
  panelPresentationSchema,
  plainPresentations,
} from "./schemas/dashboard-schemas.ts";
export {
  type DataViewInput,
  dataViewInput,
  dataViewSchema,
  viewOfBody,
  withoutAbsent,
} from "./schemas/data-view-schemas.ts";
export { periodSchema } from "./schemas/parameter-schemas.ts";
export { dashboardRecords, type StoredDashboard } from "./store/dashboards.ts";
export {
  columnsOfDataView,
  currentDataView,
  dataViewRecords,
  namedDataView,
  ofResource,
  type StoredDataView,
} from "./store/data-views.ts";
export { mergePreferences, type Preferences, readPreferences } from "./store/preferences.ts";
export type { ReadingRecords } from "./store/reading-records.ts";
export {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  readVisibleView,
  savedViewsMax,
  updateSavedView,
} from "./store/saved-views.ts";
export { columnsOfDashboard, currentDashboard, namedDashboard } from "./store/stored-dashboard.ts";
