// One pod as a process of this machine: its ConfigMaps as folders, its variables from its Secrets, an address of its own in
// 127.0.1.0/24, its state told as a kubelet tells it.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
)

// The image of the pod that starts the others: the curl of this machine.
const starterImage = "curl"

type process struct {
	address string
	log     string
	mutex   sync.Mutex
	command *exec.Cmd
	done    chan struct{}
}

func (one *node) carryOut(ctx context.Context, pod *core.Pod, own *process) {
	container := pod.Spec.Containers[0]
	if container.Image != one.wanted.image && container.Image != starterImage {
		message := fmt.Sprintf("image %s is not here, and none is pulled", container.Image)
		one.tell(ctx, pod, core.PodPending, core.ContainerState{Waiting: &core.ContainerStateWaiting{Reason: "ErrImagePull", Message: message}}, own)
		return
	}
	command, err := one.prepared(ctx, pod, own)
	if err != nil {
		one.tell(ctx, pod, core.PodPending, core.ContainerState{Waiting: &core.ContainerStateWaiting{Reason: "CreateContainerConfigError", Message: err.Error()}}, own)
		return
	}
	if err := own.begin(command); err != nil {
		log.Printf("node: %s: %v", pod.Name, err)
		return
	}
	one.tell(ctx, pod, core.PodRunning, core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: meta.Now()}}, own)
	if one.wanted.kill > 0 && isSecond(pod) {
		time.AfterFunc(one.wanted.kill, func() { own.end(0) })
	}
	<-own.done
	code, phase := command.ProcessState.ExitCode(), core.PodSucceeded
	if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = 128 + int(status.Signal())
	}
	reason := "Completed"
	if code != 0 {
		phase, reason = core.PodFailed, "Error"
	}
	one.tell(ctx, pod, phase, core.ContainerState{Terminated: &core.ContainerStateTerminated{ExitCode: int32(code), Reason: reason, FinishedAt: meta.Now()}}, own)
}

func isSecond(pod *core.Pod) bool {
	return pod.Labels["runner"] == "true" && strings.HasSuffix(pod.Labels["job-name"], "-2")
}

// The container's command with paths of this machine.
func (one *node) prepared(ctx context.Context, pod *core.Pod, own *process) (*exec.Cmd, error) {
	container := pod.Spec.Containers[0]
	home := filepath.Dir(own.log)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	placed := []string{"0.0.0.0:6565", own.address + ":6565", "/tmp/", home + "/"}
	for _, mount := range container.VolumeMounts {
		for _, volume := range pod.Spec.Volumes {
			if volume.Name != mount.Name || volume.ConfigMap == nil {
				continue
			}
			target := filepath.Join(home, "mounts", mount.Name)
			if err := one.unpack(ctx, volume.ConfigMap.Name, target); err != nil {
				return nil, err
			}
			placed = append(placed, mount.MountPath+"/", target+"/")
		}
	}
	place := strings.NewReplacer(placed...)
	words := make([]string, len(container.Command))
	for at, word := range container.Command {
		words[at] = place.Replace(word)
	}
	command := exec.Command(words[0], words[1:]...)
	command.Dir = home
	command.Env = []string{"PATH=" + filepath.Dir(one.k6) + ":" + os.Getenv("PATH"), "HOME=" + home}
	for _, variable := range container.Env {
		value, err := one.valueOf(ctx, pod, variable)
		if err != nil {
			return nil, err
		}
		command.Env = append(command.Env, variable.Name+"="+place.Replace(value))
	}
	return command, nil
}

func (one *node) unpack(ctx context.Context, name, folder string) error {
	held, err := one.client.CoreV1().ConfigMaps(namespace).Get(ctx, name, meta.GetOptions{})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	files := held.BinaryData
	for key, text := range held.Data {
		if files == nil {
			files = map[string][]byte{}
		}
		files[key] = []byte(text)
	}
	for key, content := range files {
		if err := os.WriteFile(filepath.Join(folder, key), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (one *node) valueOf(ctx context.Context, pod *core.Pod, variable core.EnvVar) (string, error) {
	if variable.ValueFrom == nil {
		return variable.Value, nil
	}
	wanted := variable.ValueFrom.SecretKeyRef
	if wanted == nil {
		return "", fmt.Errorf("variable %s comes from what this node does not know", variable.Name)
	}
	secret, err := one.client.CoreV1().Secrets(namespace).Get(ctx, wanted.Name, meta.GetOptions{})
	if err != nil {
		return "", err
	}
	value, ok := secret.Data[wanted.Key]
	if !ok {
		return "", fmt.Errorf("couldn't find key %s in Secret %s/%s", wanted.Key, pod.Namespace, wanted.Name)
	}
	return string(value), nil
}

func (one *node) tell(ctx context.Context, pod *core.Pod, phase core.PodPhase, state core.ContainerState, own *process) {
	ready := core.ConditionFalse
	if phase == core.PodRunning {
		ready = core.ConditionTrue
	}
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		now, err := one.client.CoreV1().Pods(namespace).Get(ctx, pod.Name, meta.GetOptions{})
		if err != nil {
			return err
		}
		container := now.Spec.Containers[0]
		now.Status.Phase, now.Status.PodIP, now.Status.PodIPs = phase, own.address, []core.PodIP{{IP: own.address}}
		now.Status.ContainerStatuses = []core.ContainerStatus{{Name: container.Name, Image: container.Image, State: state, Ready: ready == core.ConditionTrue}}
		now.Status.Conditions = []core.PodCondition{{Type: core.PodScheduled, Status: core.ConditionTrue}, {Type: core.PodReady, Status: ready}}
		_, err = one.client.CoreV1().Pods(namespace).UpdateStatus(ctx, now, meta.UpdateOptions{})
		return err
	})
	if err != nil && ctx.Err() == nil {
		log.Printf("node: %s as %s: %v", pod.Name, phase, err)
	}
}

func (own *process) begin(command *exec.Cmd) error {
	output, err := os.Create(own.log)
	if err != nil {
		return err
	}
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	own.mutex.Lock()
	defer own.mutex.Unlock()
	if err := command.Start(); err != nil {
		_, _ = output.WriteString(err.Error() + "\n")
		return err
	}
	own.command, own.done = command, make(chan struct{})
	go func() {
		_ = command.Wait()
		_ = output.Close()
		close(own.done)
	}()
	return nil
}

// Asks the process to end, and ends it after so long.
func (own *process) end(after time.Duration) {
	own.mutex.Lock()
	command, done := own.command, own.done
	own.mutex.Unlock()
	if command == nil {
		return
	}
	if after > 0 {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM)
		select {
		case <-done:
			return
		case <-time.After(after):
		}
	}
	select {
	case <-done:
	default:
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	}
}

// Whether the k6 of the address waits to be started.
func waits(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+":6565/v1/status", bytes.NewReader(nil))
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}
