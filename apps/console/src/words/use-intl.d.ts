import type { Words } from "./words.ts";

declare module "use-intl" {
  interface AppConfig {
    Messages: Words;
  }
}
