export {
  type ListenOptions,
  openServiceProcess,
  type ServiceConfig,
  type ServiceOptions,
  type ServiceProcess,
} from "./open-service-process.ts";
