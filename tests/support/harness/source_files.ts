/**
 * The source files of the project.
 *
 * @module
 */

/** Every file below a folder whose name matches; what `deno task build` makes is left out. */
export async function* sourceFiles(folder: string, named = /\.tsx?$/): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "built") yield* sourceFiles(path, named);
    else if (named.test(name)) yield path;
  }
}
