// A stand-in for k6-operator, whose module cannot be had: the same Jobs in the same order, as its documentation tells. One that
// packs and inspects the archive, one for each instance with k6 paused and a Service, and one that starts them one after
// another. It shows what Assay does with TestRuns, Jobs and pods; it shows nothing of k6-operator's own code.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

type launcher struct {
	client  kubernetes.Interface
	objects dynamic.Interface
	// Between the start of one instance and of the next.
	late time.Duration
}

// What of a TestRun is carried out.
type testRun struct {
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		Parallelism int
		Script      struct{ ConfigMap struct{ Name, File string } }
		Initializer struct{ Image string }
		Runner      struct {
			Image        string
			Env          []core.EnvVar
			Resources    core.ResourceRequirements
			Volumes      []core.Volume
			VolumeMounts []core.VolumeMount
		}
	}
	Status struct{ Stage string }
}

func (all *launcher) run(ctx context.Context) {
	for ctx.Err() == nil {
		found, err := all.objects.Resource(testRuns).Namespace(namespace).List(ctx, meta.ListOptions{})
		if err == nil {
			for at := range found.Items {
				if err := all.advance(ctx, &found.Items[at]); err != nil && !errors.IsConflict(err) && ctx.Err() == nil {
					log.Printf("launcher: %s: %v", found.Items[at].GetName(), err)
				}
			}
		}
		time.Sleep(lookEvery)
	}
}

// One stage further, where it is time.
func (all *launcher) advance(ctx context.Context, object *unstructured.Unstructured) error {
	if object.GetDeletionTimestamp() != nil {
		return nil
	}
	var run testRun
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &run); err != nil {
		return err
	}
	switch run.Status.Stage {
	case "":
		packing := fmt.Sprintf("k6 archive %[1]s -O /tmp/packed.tar && k6 inspect --execution-requirements /tmp/packed.tar", run.script())
		pod := run.pod(run.Spec.Initializer.Image, []string{"sh", "-c", packing}, nil)
		return all.enter(ctx, object, "initialization", run.job("initializer", pod, false))
	case "initialization":
		return all.after(ctx, object, 1, run.Name+"-initializer", "initialized")
	case "initialized":
		jobs := []*batch.Job{}
		for instance := 1; instance <= run.Spec.Parallelism; instance++ {
			if err := all.serve(ctx, &run, instance); err != nil {
				return err
			}
			jobs = append(jobs, run.job(fmt.Sprint(instance), run.pod(run.Spec.Runner.Image, run.command(instance), run.Spec.Runner.Env), true))
		}
		return all.enter(ctx, object, "created", jobs...)
	case "created":
		addresses, err := all.waiting(ctx, &run)
		if err != nil || len(addresses) < run.Spec.Parallelism {
			return err
		}
		calls := []string{}
		for at, address := range addresses {
			if at > 0 {
				calls = append(calls, fmt.Sprintf("sleep %g", all.late.Seconds()))
			}
			body := `{"data":{"attributes":{"paused":false},"id":"default","type":"status"}}`
			calls = append(calls, fmt.Sprintf("curl -s --retry 3 -X PATCH -H 'Content-Type: application/json' -d '%s' http://%s:6565/v1/status", body, address))
		}
		pod := run.pod(starterImage, []string{"sh", "-c", strings.Join(calls, "; ")}, nil)
		return all.enter(ctx, object, "started", run.job("starter", pod, false))
	case "started":
		return all.after(ctx, object, run.Spec.Parallelism, "", "finished")
	}
	return nil
}

func (run *testRun) script() string { return "/test/" + run.Spec.Script.ConfigMap.File }

// As every instance is started: paused, with its part of the whole.
func (run *testRun) command(instance int) []string {
	of := run.Spec.Parallelism
	words := []string{"k6", "run", "--quiet"}
	if of > 1 {
		ends := []string{}
		for at := 0; at <= of; at++ {
			ends = append(ends, part(at, of))
		}
		words = append(words, "--execution-segment="+ends[instance-1]+":"+ends[instance], "--execution-segment-sequence="+strings.Join(ends, ","))
	}
	return append(words, run.script(), "--address=0.0.0.0:6565", "--paused", "--tag", fmt.Sprintf("instance_id=%d", instance))
}

func part(at, of int) string {
	if at == 0 || at == of {
		return fmt.Sprint(at / of)
	}
	return fmt.Sprintf("%d/%d", at, of)
}

func (run *testRun) pod(image string, command []string, env []core.EnvVar) core.PodSpec {
	script := core.Volume{Name: "script"}
	script.ConfigMap = &core.ConfigMapVolumeSource{LocalObjectReference: core.LocalObjectReference{Name: run.Spec.Script.ConfigMap.Name}}
	mount := core.VolumeMount{Name: "script", MountPath: "/test"}
	return core.PodSpec{
		RestartPolicy: core.RestartPolicyNever,
		Containers: []core.Container{{
			Name: "k6", Image: image, Command: command, Env: env, Resources: run.Spec.Runner.Resources,
			VolumeMounts: append([]core.VolumeMount{mount}, run.Spec.Runner.VolumeMounts...),
		}},
		Volumes: append([]core.Volume{script}, run.Spec.Runner.Volumes...),
	}
}

func (run *testRun) owned(name string, isRunner bool) meta.ObjectMeta {
	labels := map[string]string{"app": "k6", "k6_cr": run.Name}
	if isRunner {
		labels["runner"] = "true"
	}
	yes := true
	owner := meta.OwnerReference{APIVersion: "k6.io/v1alpha1", Kind: "TestRun", Name: run.Name, UID: run.UID, Controller: &yes, BlockOwnerDeletion: &yes}
	return meta.ObjectMeta{Name: name, Labels: labels, OwnerReferences: []meta.OwnerReference{owner}}
}

func (run *testRun) job(suffix string, pod core.PodSpec, isRunner bool) *batch.Job {
	own := run.owned(run.Name+"-"+suffix, isRunner)
	never := int32(0)
	template := core.PodTemplateSpec{ObjectMeta: meta.ObjectMeta{Labels: own.Labels}, Spec: pod}
	return &batch.Job{ObjectMeta: own, Spec: batch.JobSpec{BackoffLimit: &never, Template: template}}
}

func (all *launcher) serve(ctx context.Context, run *testRun, instance int) error {
	service := &core.Service{ObjectMeta: run.owned(fmt.Sprintf("%s-service-%d", run.Name, instance), true)}
	service.Spec.Ports = []core.ServicePort{{Name: "http-api", Port: 6565}}
	service.Spec.Selector = map[string]string{"job-name": fmt.Sprintf("%s-%d", run.Name, instance)}
	_, err := all.client.CoreV1().Services(namespace).Create(ctx, service, meta.CreateOptions{})
	return unlessThere(err)
}

func (all *launcher) enter(ctx context.Context, object *unstructured.Unstructured, stage string, jobs ...*batch.Job) error {
	for _, job := range jobs {
		if _, err := all.client.BatchV1().Jobs(namespace).Create(ctx, job, meta.CreateOptions{}); unlessThere(err) != nil {
			return err
		}
	}
	if err := unstructured.SetNestedField(object.Object, stage, "status", "stage"); err != nil {
		return err
	}
	_, err := all.objects.Resource(testRuns).Namespace(namespace).UpdateStatus(ctx, object, meta.UpdateOptions{})
	return err
}

// Enters the stage when the job, or as many instances as there are, came to an end; a job that failed is one for them alone.
func (all *launcher) after(ctx context.Context, object *unstructured.Unstructured, count int, job, stage string) error {
	selector := "k6_cr=" + object.GetName() + ",runner=true"
	if job != "" {
		selector = "k6_cr=" + object.GetName() + ",runner!=true"
	}
	jobs, err := all.client.BatchV1().Jobs(namespace).List(ctx, meta.ListOptions{LabelSelector: selector})
	if err != nil {
		return err
	}
	ended, failed := 0, false
	for _, one := range jobs.Items {
		if one.Status.Succeeded+one.Status.Failed > 0 && (job == "" || one.Name == job) {
			ended++
			failed = failed || one.Status.Failed > 0
		}
	}
	if job != "" && failed {
		return all.enter(ctx, object, "error")
	}
	if ended < count {
		return nil
	}
	return all.enter(ctx, object, stage)
}

// Addresses of the instances whose k6 waits to be started, in their order.
func (all *launcher) waiting(ctx context.Context, run *testRun) ([]string, error) {
	pods, err := all.client.CoreV1().Pods(namespace).List(ctx, meta.ListOptions{LabelSelector: "k6_cr=" + run.Name + ",runner=true"})
	if err != nil {
		return nil, err
	}
	addresses := []string{}
	for _, pod := range pods.Items {
		if pod.Status.Phase == core.PodRunning && waits(ctx, pod.Status.PodIP) {
			addresses = append(addresses, pod.Status.PodIP)
		}
	}
	return addresses, nil
}

func unlessThere(err error) error {
	if errors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
