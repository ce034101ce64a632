// Command judge lists the incompatible changes of Go packages: `judge <before> <after>`, two workspaces with a folder for
// each module. Each line of its output is the path of a package and a change, as golang.org/x/exp/apidiff describes it.
package main

import (
	"fmt"
	"go/types"
	"log"
	"os"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: judge <before> <after>")
	}
	before, after := load(os.Args[1]), load(os.Args[2])
	for path, old := range before {
		if after[path] == nil {
			fmt.Printf("%s: package removed\n", path)
			continue
		}
		for _, change := range apidiff.Changes(old, after[path]).Changes {
			if !change.Compatible {
				fmt.Printf("%s: %s\n", path, change.Message)
			}
		}
	}
	fmt.Printf("%d packages\n", len(before))
}

// load type-checks the packages at the roots of the modules.
func load(workspace string) map[string]*types.Package {
	folders, err := os.ReadDir(workspace)
	if err != nil {
		log.Fatal(err)
	}
	var patterns []string
	for _, folder := range folders {
		if folder.IsDir() && folder.Name() != "runtime" {
			patterns = append(patterns, "./"+folder.Name())
		}
	}
	// From source, with what they import: compiling each package for its export data takes ten times as long.
	mode := packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps |
		packages.NeedFiles | packages.NeedCompiledGoFiles
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: workspace}, patterns...)
	if err != nil {
		log.Fatal(err)
	}
	if packages.PrintErrors(loaded) > 0 {
		os.Exit(1)
	}
	roots := make(map[string]*types.Package, len(loaded))
	for _, each := range loaded {
		roots[each.PkgPath] = each.Types
	}
	return roots
}
