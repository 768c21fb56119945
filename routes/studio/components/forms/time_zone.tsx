/**
 * Choosing a time zone.
 *
 * @module
 */
import { Select } from "./field.tsx";

/** A time zone; `detect` preselects the browser's. */
export function TimeZone(
  { name, value, help, disabled, detect }: {
    name: string;
    value: string;
    help: string;
    disabled?: boolean;
    detect?: boolean;
  },
) {
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  const choices = zones.includes(value) ? zones : [value, ...zones];
  return (
    <div data-island={detect ? "time-zone" : undefined}>
      <Select
        label="Time zone"
        name={name}
        value={value}
        choices={choices.map((zone) => [zone, zone.replaceAll("_", " ")])}
        help={help}
        disabled={disabled === true}
      />
    </div>
  );
}
