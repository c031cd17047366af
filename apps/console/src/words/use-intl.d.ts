import type { Words } from "./languages.ts";

declare module "use-intl" {
  interface AppConfig {
    Messages: Words;
  }
}
