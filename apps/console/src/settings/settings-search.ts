import { textParameter } from "../shell/text-parameter.ts";

/** The state of the page of the settings, as its address has it. */
interface SettingsSearch {
  readonly search?: string | undefined;
  /** The group that the page shows first. */
  readonly section?: string | undefined;
}

/** Reads the parameters of an address. */
export function readSettingsSearch(raw: Readonly<Record<string, unknown>>): SettingsSearch {
  return { search: textParameter(raw.search), section: textParameter(raw.section) };
}
