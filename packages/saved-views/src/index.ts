export {
  createDashboard,
  type Dashboard,
  type DashboardChanges,
  type DashboardInput,
  deleteDashboard,
  listDashboards,
  type Panel,
  readDashboard,
  updateDashboard,
} from "./dashboards.ts";
export {
  createDataView,
  type DataViewChanges,
  type DataViewInput,
  type DataViewRecord,
  deleteDataView,
  listDataViews,
  readDataView,
  updateDataView,
} from "./data-views.ts";
export { mergePreferences, type Preferences, readPreferences } from "./preferences.ts";
export {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  readSavedView,
  type SavedView,
  savedViewsMax,
  updateSavedView,
} from "./saved-views.ts";
