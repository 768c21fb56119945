import { defineConfig } from "astro/config";
import node from "@astrojs/node";

// The service signs its webhooks; a browser's origin says nothing about them.
export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  security: { checkOrigin: false },
});
