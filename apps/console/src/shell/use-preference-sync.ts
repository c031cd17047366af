import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client } from "./client.ts";
import { preferencesQuery } from "./home-entries.ts";
import {
  changePreferences,
  currentPreferences,
  onPreferencesChange,
  type Preferences,
} from "./preferences.ts";

/** The preferences that follow a person to another browser. */
type Followed = Pick<Preferences, "theme" | "density" | "singleKeys">;

/**
 * Takes the preferences that the service has for the person, and keeps changes there. Without the service those of this
 * browser apply.
 */
export function usePreferenceSync(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let isEnded = false;
    const first = currentPreferences();
    let known: Followed = first;
    const stop = onPreferencesChange(() => {
      const { theme, density, singleKeys } = currentPreferences();
      const data = {
        ...(theme === known.theme ? {} : { theme }),
        ...(density === known.density ? {} : { density }),
        ...(singleKeys === known.singleKeys ? {} : { shortcuts: singleKeys }),
      };
      known = { theme, density, singleKeys };
      if (Object.keys(data).length > 0) client.app.patch("/preferences", { data }).catch(() => {});
    });
    queries.fetchQuery(preferencesQuery).then(
      (data) => {
        // A choice made meanwhile is newer.
        if (isEnded || currentPreferences() !== first) return;
        known = {
          theme: data.theme ?? first.theme,
          density: data.density ?? first.density,
          singleKeys: data.shortcuts ?? first.singleKeys,
        };
        changePreferences(known);
      },
      () => {},
    );
    return () => {
      isEnded = true;
      stop();
    };
  }, [queries]);
}
