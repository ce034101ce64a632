// Command inspect tells what stands in the generated files of Go archives beside what
// the generator means: a declaration, a statement or a directive that came out of a
// text. It takes folders of archives and prints nothing when all is well.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

func main() {
	for _, folder := range os.Args[1:] {
		for _, name := range []string{"client.go", "messages.go"} {
			inspect(filepath.Join(folder, name))
		}
		examples, _ := filepath.Glob(filepath.Join(folder, "examples", "*", "main.go"))
		for _, example := range examples {
			inspect(example)
		}
	}
}

func inspect(path string) {
	source, err := os.ReadFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, char := range string(source) {
		// Spaces of other widths and joiners of scripts and emoji are harmless; all else that is invisible is
		// spelled out.
		harmless := char == '\n' || char == '\t' || char == '\u200c' || char == '\u200d' || unicode.Is(unicode.Zs, char)
		if !harmless && !unicode.IsPrint(char) {
			fmt.Printf("%s: invisible %U\n", path, char)
		}
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		fmt.Println(err)
		return
	}
	complain := func(node ast.Node, what string) {
		fmt.Printf("%s: %s\n", files.Position(node.Pos()), what)
	}
	for _, group := range file.Comments {
		inspectComments(group, complain)
	}
	isProgram := file.Name.Name == "main"
	for _, declaration := range file.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			if !isProgram && declaration.Name.Name == "init" {
				inspectInit(declaration, complain)
			} else if !isProgram {
				inspectMethod(declaration, complain)
			} else if name := declaration.Name.Name; name != "main" && name != "run" {
				complain(declaration, "a function called "+name)
			}
		case *ast.GenDecl:
			if declaration.Tok == token.VAR {
				inspectTable(declaration, complain)
			} else if isProgram && declaration.Tok != token.IMPORT {
				complain(declaration, "a declaration in a program")
			}
		}
	}
}

var directive = regexp.MustCompile(`^(//\S|// ?\+build|/\*)`)

func inspectComments(group *ast.CommentGroup, complain func(ast.Node, string)) {
	for _, comment := range group.List {
		if directive.MatchString(comment.Text) && comment.Text != "//" {
			complain(comment, "a directive: "+comment.Text)
		}
		if strings.HasPrefix(comment.Text, "// Deprecated:") && comment.Text != "// Deprecated: the proto marks it as such." {
			complain(comment, "a deprecation: "+comment.Text)
		}
	}
}

// inspectMethod allows what generated functions do: they return, or tell cases of a
// oneof apart before.
func inspectMethod(function *ast.FuncDecl, complain func(ast.Node, string)) {
	for _, statement := range function.Body.List {
		switch statement := statement.(type) {
		case *ast.ReturnStmt, *ast.SwitchStmt:
		case *ast.AssignStmt, *ast.IfStmt:
			if function.Name.Name != "New" {
				complain(statement, "a statement")
			}
		default:
			complain(statement, "a statement")
		}
	}
}

// inspectInit allows the definition of a message.
func inspectInit(function *ast.FuncDecl, complain func(ast.Node, string)) {
	for _, statement := range function.Body.List {
		expression, _ := statement.(*ast.ExprStmt)
		if expression == nil {
			complain(statement, "a statement")
			continue
		}
		call, _ := expression.X.(*ast.CallExpr)
		if call == nil || !isCallOf(call, "message", "Define") {
			complain(statement, "a statement")
			continue
		}
		for _, argument := range call.Args {
			inspectTable(argument, complain)
		}
	}
}

// isCallOf reports whether a method is called on a variable with a prefix.
func isCallOf(call *ast.CallExpr, prefix, method string) bool {
	selector, isSelector := call.Fun.(*ast.SelectorExpr)
	return isSelector && strings.HasPrefix(fmt.Sprint(selector.X), prefix) && selector.Sel.Name == method
}

// inspectTable allows calls of the runtime over literals and functions that give the
// address of a field.
func inspectTable(table ast.Node, complain func(ast.Node, string)) {
	ast.Inspect(table, func(node ast.Node) bool {
		switch node := node.(type) {
		case nil, *ast.GenDecl, *ast.ValueSpec, *ast.Ident, *ast.SelectorExpr, *ast.BasicLit, *ast.IndexExpr, *ast.StarExpr,
			*ast.ArrayType, *ast.MapType, *ast.UnaryExpr, *ast.InterfaceType, *ast.FieldList, *ast.Field, *ast.FuncType,
			*ast.FuncLit, *ast.BlockStmt, *ast.ReturnStmt:
		case *ast.CallExpr:
			function := node.Fun
			if index, isIndex := function.(*ast.IndexExpr); isIndex {
				function = index.X
			}
			selector, isSelector := function.(*ast.SelectorExpr)
			isRuntime := isSelector && (fmt.Sprint(selector.X) == "protojson" || fmt.Sprint(selector.X) == "calls")
			if !isRuntime && !isCallOf(node, "message", "Codec") {
				complain(node, "a call")
			}
		case *ast.CommentGroup, *ast.Comment:
		default:
			complain(node, fmt.Sprintf("%T", node))
		}
		return true
	})
}
