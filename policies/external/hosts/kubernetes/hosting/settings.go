package hosting

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	strict "sigs.k8s.io/json"

	"aftershock.dev/hosts/kubernetes/messages"
)

// ReadManifest fills the specification that is at the place: the member `spec` of a manifest, or
// the whole. It returns the place of the specification.
func ReadManifest(config json.RawMessage, place, kind string, into any) (string, []messages.Issue) {
	text, at, issues := specOf(config, place, kind)
	if len(issues) == 0 {
		issues = Read(text, at, into)
	}
	return at, issues
}

// specOf is the part of a configuration that is a specification, with its place.
func specOf(config json.RawMessage, place, kind string) (json.RawMessage, string,
	[]messages.Issue) {
	if text := bytes.TrimSpace(config); len(text) == 0 || string(text) == "null" {
		return json.RawMessage("{}"), place, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(config, &members); err != nil {
		return nil, place, []messages.Issue{{Pointer: place, Message: err.Error(),
			Expected: "an object"}}
	}
	spec, there := members["spec"]
	_, hasKind := members["kind"]
	_, hasVersion := members["apiVersion"]
	if !there && !hasKind && !hasVersion {
		return config, place, nil
	}
	var named string
	if hasKind && (json.Unmarshal(members["kind"], &named) != nil || named != kind) {
		return nil, place, []messages.Issue{{Pointer: place + "/kind",
			Message: string(members["kind"]), Expected: kind}}
	}
	if !there {
		return nil, place, []messages.Issue{{Pointer: place, Message: "the manifest has no spec",
			Expected: "spec"}}
	}
	return spec, place + "/spec", nil
}

// Read fills an object at the place, and names members that it does not have.
func Read(text json.RawMessage, place string, into any) []messages.Issue {
	wrong, err := strict.UnmarshalStrict(text, into)
	if err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return []messages.Issue{{Pointer: place + Pointer(kind.Field), Message: kind.Value,
				Expected: kind.Type.String()}}
		}
		return []messages.Issue{{Pointer: place, Message: err.Error()}}
	}
	issues := []messages.Issue{}
	for _, one := range wrong {
		issue := messages.Issue{Pointer: place, Message: one.Error(), Expected: "a member of the API"}
		if found, is := one.(interface{ FieldPath() string }); is {
			issue.Pointer = place + Pointer(found.FieldPath())
			issue.Message = "no such member"
		}
		issues = append(issues, issue)
	}
	return issues
}

var index = regexp.MustCompile(`\[([^\]]*)\]`)

// Pointer is a path of the API, such as spec.rules[0].action, as a JSON pointer without `spec`.
func Pointer(path string) string {
	path = strings.TrimPrefix(index.ReplaceAllString(path, ".$1"), "spec")
	if path = strings.Trim(path, "."); path == "" {
		return ""
	}
	return "/" + strings.ReplaceAll(path, ".", "/")
}

// Issues are the errors of the API server, by their places.
func Issues(errs field.ErrorList, place string) []messages.Issue {
	issues := []messages.Issue{}
	for _, one := range errs {
		issues = append(issues, messages.Issue{Pointer: place + Pointer(one.Field),
			Message: one.ErrorBody(), Expected: "what the API server takes"})
	}
	return issues
}

// Refusals are members of a specification that the API would take and a host does not.
type Refusals struct {
	Place string // of the specification
	List  []messages.Issue
}

// Add refuses a member, such as template/spec/restartPolicy.
func (refusals *Refusals) Add(member, message, expected string) {
	refusals.List = append(refusals.List, messages.Issue{Pointer: refusals.Place + "/" + member,
		Message: message, Expected: expected})
}
