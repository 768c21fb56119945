import { defineConfig } from "astro/config";
import node from "@astrojs/node";
import { loadEnv } from "vite";

// Variables of .env, for development; elsewhere they come from the environment.
Object.assign(process.env, { ...loadEnv("", process.cwd(), "CMS_"), ...process.env });

// The service signs its webhooks; a browser's origin says nothing about them.
export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  security: { checkOrigin: false },
});
