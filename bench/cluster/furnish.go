// What the cluster holds from the begin on: the definition of TestRuns, the namespace of the load, and the least that a user
// may be allowed who searches for capacity.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"time"

	core "k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"
)

//go:embed testruns.yaml
var fields []byte

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	testRuns    = schema.GroupVersionResource{Group: "k6.io", Version: "v1alpha1", Resource: "testruns"}
)

func furnish(ctx context.Context, client kubernetes.Interface, objects dynamic.Interface, definition string) error {
	if err := define(ctx, objects, definition); err != nil {
		return err
	}
	space := &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: namespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, space, meta.CreateOptions{}); err != nil {
		return err
	}
	role := &rbac.Role{ObjectMeta: meta.ObjectMeta{Name: "load"}, Rules: []rbac.PolicyRule{
		{APIGroups: []string{"k6.io"}, Resources: []string{"testruns"}, Verbs: []string{"create", "get", "list", "delete"}},
		{APIGroups: []string{""}, Resources: []string{"configmaps", "secrets"}, Verbs: []string{"create", "list", "delete"}},
		{APIGroups: []string{""}, Resources: []string{"pods", "pods/log"}, Verbs: []string{"get", "list"}},
	}}
	if _, err := client.RbacV1().Roles(namespace).Create(ctx, role, meta.CreateOptions{}); err != nil {
		return err
	}
	binding := &rbac.RoleBinding{
		ObjectMeta: meta.ObjectMeta{Name: "load"},
		Subjects:   []rbac.Subject{{Kind: rbac.UserKind, Name: "proof", APIGroup: rbac.GroupName}},
		RoleRef:    rbac.RoleRef{Kind: "Role", Name: "load", APIGroup: rbac.GroupName},
	}
	_, err := client.RbacV1().RoleBindings(namespace).Create(ctx, binding, meta.CreateOptions{})
	return err
}

// Defines TestRuns, and waits until they can be asked for.
func define(ctx context.Context, objects dynamic.Interface, file string) error {
	text := fields
	if file != "" {
		own, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text = own
	}
	var definition unstructured.Unstructured
	if err := yaml.Unmarshal(text, &definition.Object); err != nil {
		return err
	}
	if _, err := objects.Resource(definitions).Create(ctx, &definition, meta.CreateOptions{}); err != nil {
		return err
	}
	var last error
	for ends := time.Now().Add(startingTime); time.Now().Before(ends); time.Sleep(200 * time.Millisecond) {
		if _, last = objects.Resource(testRuns).Namespace(namespace).List(ctx, meta.ListOptions{}); last == nil {
			return nil
		}
	}
	return fmt.Errorf("TestRuns cannot be asked for: %w", last)
}
